import type { Health } from '../routes/health.ts';
import type { TrustedProxies } from './address.ts';
import type { Check } from './middleware.ts';

/** Notices a web server in front that is not trusted, and says so: on the console at once, and with the state of the product. */
export class UntrustedProxies {
  readonly #tell: (line: string) => void;
  readonly #notes: string[] = [];
  #isLooking: boolean;

  constructor({ trustedProxies, publicUrl, tell = () => undefined }: UntrustedProxiesOptions) {
    this.#tell = tell;
    this.#isLooking = trustedProxies === undefined || trustedProxies === 0;
    if (trustedProxies === undefined && publicUrl.startsWith('https:')) this.#note(HTTPS);
  }

  readonly look: Check = (c) => {
    if (!this.#isLooking || c.req.header('X-Forwarded-For') === undefined) return;
    this.#isLooking = false;
    this.#note(FORWARDED);
  };

  /** The state, with what was noticed. */
  noted(state: Health): Health {
    return { ...state, notes: [...(state.notes ?? []), ...this.#notes] };
  }

  #note(what: string): void {
    this.#notes.push(what);
    this.#tell(what);
  }
}

type UntrustedProxiesOptions = {
  readonly trustedProxies?: TrustedProxies;
  readonly publicUrl: string;
  readonly tell?: ((line: string) => void) | undefined;
};

const WHAT_FOLLOWS =
  'all people behind it share one address, and wrong passwords of one stranger lock everybody out. Set TRUSTED_PROXIES=1, and let the web server send X-Forwarded-For.';
const HTTPS = `PUBLIC_URL is https, so a web server stands in front, but TRUSTED_PROXIES is not set: ${WHAT_FOLLOWS}`;
const FORWARDED = `A request came with X-Forwarded-For, but TRUSTED_PROXIES trusts nobody: if a web server stands in front, ${WHAT_FOLLOWS}`;
