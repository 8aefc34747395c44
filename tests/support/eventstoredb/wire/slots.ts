import { ServerInterceptingCall, type ServerInterceptor } from '@grpc/grpc-js';

type Connection = { running: number; readonly waiting: Set<() => void> };

/**
 * Limits the calls of a connection; further ones wait, unknown to the client. A true server announces the limit in its HTTP/2 settings,
 * and clients hold calls back. Announced by Node's HTTP/2, calls that follow right after others end would be refused.
 */
export const atMost = (limit: number): ServerInterceptor => {
  const connections = new Map<string, Connection>();
  return (_, call) => {
    const peer = call.getPeer();
    const connection = connections.get(peer) ?? { running: 0, waiting: new Set() };
    connections.set(peer, connection);
    let isRunning = false;
    let run = () => {};

    const leave = () => {
      connection.waiting.delete(run);
      if (!isRunning) return;
      isRunning = false;
      connection.running--;
      if (connection.running === 0 && connection.waiting.size === 0) connections.delete(peer);
      const [next] = connection.waiting;
      next?.();
    };
    return new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, pass) => {
            run = () => {
              connection.waiting.delete(run);
              connection.running++;
              isRunning = true;
              pass(metadata);
            };
            if (connection.running < limit) run();
            else connection.waiting.add(run);
          },
          onCancel: leave,
        }),
      sendStatus: (status, next) => {
        next(status);
        leave();
      },
    });
  };
};
