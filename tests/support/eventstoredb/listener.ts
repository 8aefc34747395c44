import { rmSync } from 'node:fs';
import { createServer, type AddressInfo, type ListenOptions, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';

/** The listening socket and its connections, which can be reset at any moment. */
export class Listener {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  /** @param tls key and certificate; omitted: unencrypted */
  constructor(welcome: (socket: Socket) => void, tls?: { key: string; cert: string }) {
    const enter = (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      socket.on('error', () => undefined);
      welcome(socket);
    };
    this.#server = tls ? createTlsServer({ ...tls, ALPNProtocols: ['h2'], noDelay: true }, enter) : createServer({ noDelay: true }, enter);
  }

  /** @returns the port; 0 for a Unix socket */
  async listen(at: { port: number } | { path: string }): Promise<number> {
    if ('path' in at) rmSync(at.path, { force: true });
    const where = 'path' in at ? at : { port: at.port, host: '127.0.0.1' };
    for (let tries = 200; !(await this.#isListening(where)); tries--) {
      if (tries === 0) throw new Error(`Port ${JSON.stringify(where)} is taken`);
      await pause(100);
    }
    return 'path' in at ? 0 : (this.#server.address() as AddressInfo).port;
  }

  /** Returns false if another process uses the port, which any may take between a stop and a restart. */
  #isListening(where: ListenOptions): Promise<boolean> {
    return new Promise((answer, failed) => {
      const refused = (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? answer(false) : failed(error));
      this.#server.once('error', refused);
      this.#server.listen(where, () => {
        this.#server.off('error', refused);
        answer(true);
      });
    });
  }

  /** Resets all connections, or those of the peer (`address:port`). */
  cut(peer?: string): void {
    for (const socket of this.#sockets) {
      if (peer === undefined || socket.remoteAddress === undefined || `${socket.remoteAddress}:${socket.remotePort}` === peer)
        reset(socket);
    }
  }

  /** Accepts no new connections and resets the open ones. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.cut();
    await closed;
  }
}

const reset = (socket: Socket): void => {
  if (!('encrypted' in socket) && socket.remoteAddress !== undefined) socket.resetAndDestroy();
  else socket.destroy();
};
