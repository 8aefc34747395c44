import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { createServer as createVite, type ViteDevServer } from 'vite';
import { appAt, apps, root } from './apps.ts';
import { runUntilStopped } from './lifecycle.ts';
import { freePort } from './postgres/programs.ts';
import { readSettings } from './settings.ts';
import { StartError } from './start-error.ts';

/**
 * `npm run dev`: the same as `npm start` on the same address, with sources instead of built apps. A change in an app
 * shows at once; a change on the server starts that part again.
 */
runUntilStopped(async (lifecycle) => {
  const settings = readSettings(process.env);
  const apiPort = await freePort(0);
  const front = createServer();
  const vites = new Map<string, ViteDevServer>();
  lifecycle.onEnd(() => {
    front.closeAllConnections();
  });
  front.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const path = new URL(request.url ?? '/', settings.publicUrl).pathname;
    if (path === '/api' || path.startsWith('/api/')) return passOn(request, response, apiPort);
    const app = apps.find(({ folder }) => path.startsWith(`/${folder}/`)) ?? appAt(path);
    const vite = app && vites.get(app.folder);
    if (!app || !vite) return void response.writeHead(404).end('There is no app yet.');
    vite.middlewares(request, response, () => void sendPage(vite, app.folder, request, response));
  });
  await new Promise<void>((listening, failed) => {
    front.once('error', (error: NodeJS.ErrnoException) =>
      failed(
        new StartError(
          error.code === 'EADDRINUSE'
            ? `Port ${settings.port} is taken by another program: choose another with PORT=${settings.port + 1}.`
            : error.message,
        ),
      ),
    );
    front.listen(settings.port, settings.host, listening);
  });
  for (const { folder } of apps) {
    vites.set(
      folder,
      await createVite({
        root: join(root, folder),
        configFile: join(root, folder, 'vite.config.ts'),
        base: `/${folder}/`,
        appType: 'custom',
        server: { middlewareMode: true, hmr: { server: front, path: 'live-reload' } },
      }),
    );
  }
  lifecycle.onEnd(async () => {
    await Promise.all([...vites.values()].map((vite) => vite.close()));
  });

  const api = spawn(process.execPath, ['--watch', '--watch-preserve-output', join(root, 'run/main.ts'), '--without-apps'], {
    stdio: 'inherit',
    env: { ...process.env, PORT: String(apiPort), HOST: '127.0.0.1', PUBLIC_URL: settings.publicUrl },
  });
  lifecycle.onEnd(async () => {
    if (api.exitCode !== null || api.signalCode !== null) return;
    api.kill('SIGTERM');
    await once(api, 'exit');
  });
  api.once('exit', (code) => void lifecycle.end(code ?? 1));
});

function passOn(request: IncomingMessage, response: ServerResponse, port: number): void {
  const onward = httpRequest({ host: '127.0.0.1', port, method: request.method, path: request.url, headers: request.headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => {
    if (response.headersSent) response.destroy();
    else
      response
        .writeHead(503, { 'Content-Type': 'application/problem+json', 'Retry-After': '1' })
        .end('{"title":"The server is starting","status":503,"code":"starting"}');
  });
  response.on('close', () => onward.destroy());
  request.pipe(onward);
}

async function sendPage(vite: ViteDevServer, folder: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    // What it names beside itself is under the base of its app, and not beside the address of the page.
    const page = readFileSync(join(root, folder, 'index.html'), 'utf8').replaceAll('src="./', 'src="/');
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(await vite.transformIndexHtml(request.url ?? '/', page));
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
}
