import type { Actor } from '../actor.ts';
import type { CommandAnswer } from '../contract/live.ts';
import type { Pipeline, Request } from './pipeline.ts';

/** Handles one command, for an actor whose role may give it. @throws ProblemError */
export type Handler<BusRequest extends Request = Request> = (request: BusRequest) => Promise<CommandAnswer<unknown>>;
export type Handlers<Name extends string, BusRequest extends Request> = { readonly [Each in Name]?: Handler<BusRequest> };

/** Wraps the handling of every command. */
export type Around<Name extends string> = <BusRequest extends Request>(
  name: Name,
  request: BusRequest,
  handle: Handler<BusRequest>,
) => Promise<CommandAnswer<unknown>>;

/**
 * Takes every command to its handler: the one that is registered for it, otherwise the pipeline. A handler is for what a decision on a stream
 * cannot do, such as making a log-in or sending mail; it then gives the command to the pipeline itself.
 *
 * `BusRequest`: a request with more fields for handlers. HTTP only knows `Request`, and so cannot set them.
 */
export class CommandBus<Name extends string, BusRequest extends Request> {
  readonly #pipeline: Pick<Pipeline<Name>, 'authorise' | 'execute' | 'knows'>;
  readonly #around: Around<Name>;
  readonly #handlers = new Map<Name, Handler<BusRequest>>();

  constructor(pipeline: Pick<Pipeline<Name>, 'authorise' | 'execute' | 'knows'>, around: Around<Name>) {
    this.#pipeline = pipeline;
    this.#around = around;
  }

  /** @throws Error if one of these commands has a handler already */
  register(handlers: Handlers<Name, BusRequest>): void {
    for (const [name, handler] of Object.entries<Handler<BusRequest> | undefined>(handlers)) {
      if (!handler || !this.#pipeline.knows(name) || this.#handlers.has(name))
        throw new Error(`${name} is no command, or has a handler already`);
      this.#handlers.set(name, handler);
    }
  }

  /** Whether the role may give the command at all. @throws ProblemError `forbidden` */
  readonly authorise = (name: Name, actor: Actor): void => this.#pipeline.authorise(name, actor);

  /** @throws ProblemError when the request is refused or cannot be handled now */
  readonly execute = async (name: Name, request: BusRequest): Promise<CommandAnswer<unknown>> => {
    this.#pipeline.authorise(name, request.actor, request.isInternal);
    const handler = this.#handlers.get(name) ?? ((one: BusRequest) => this.#pipeline.execute(name, one));
    return this.#around(name, request, handler);
  };
}
