/** The body of a request that comes when the test lets it. */
export type HeldBody = {
  readonly stream: ReadableStream<Uint8Array>;
  /** Fulfilled once the server waits for it: everything that is asked before it has been. */
  readonly wanted: Promise<void>;
  readonly comes: () => void;
};

export const heldBody = (body: unknown): HeldBody => {
  const [wanted, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        wanted.resolve();
        await gate.promise;
        controller.enqueue(new TextEncoder().encode(JSON.stringify(body)));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, wanted: wanted.promise, comes: () => gate.resolve() };
};
