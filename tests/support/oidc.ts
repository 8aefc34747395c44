import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SocialProvider } from '../../api/auth/log-in/social.ts';

/**
 * A user as the provider knows them. `email` should be an address, and `verified`, what it says of it, a boolean; undefined: it says nothing.
 */
export type Known = { readonly sub: string; readonly email: unknown; readonly verified: unknown };

export type OidcProvider = SocialProvider & {
  /** Logs a user in at the provider, like a browser sent to this address; returns where the browser is sent back to. */
  logIn(authorization: string, who: Known): Promise<URL>;
  /** The next real browser is this user, and is sent on without being asked. */
  expect(who: Known): void;
  close(): Promise<void>;
};

/** The library has no types; this is the part in use. The name is hidden from the compiler. */
const PACKAGE: string = 'oidc-provider';
type ProviderClass = new (
  issuer: string,
  configuration: object,
) => {
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
  interactionDetails(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<{ prompt: { name: string }; params: { client_id: string }; session?: { accountId: string } }>;
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object, options?: object): Promise<void>;
  Grant: new (of: { accountId: string | undefined; clientId: string }) => { addOIDCScope(scope: string): void; save(): Promise<string> };
};

/**
 * A real OpenID Connect provider, whose pages are answered by the test.
 *
 * @param redirectUri a promise where the address is not known yet; requests wait for it
 * @param claimsIn where it tells about the user: at its address for that, or in the token
 */
export const openOidcProvider = async (
  redirectUri: string | Promise<string>,
  claimsIn: 'userinfo' | 'id token' = 'userinfo',
): Promise<OidcProvider> => {
  const { default: Provider } = (await import(PACKAGE)) as { default: ProviderClass };
  const people = new Map<string, Known>();
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clientId = 'marktrail';
  const clientSecret = 'a secret that both know';
  const serving = Promise.resolve(redirectUri).then((uri) => {
    const provider = new Provider(issuer, {
      clients: [
        { client_id: clientId, client_secret: clientSecret, redirect_uris: [uri], token_endpoint_auth_method: 'client_secret_post' },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      cookies: { keys: ['of the tests'] },
      conformIdTokenClaims: claimsIn === 'userinfo',
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_context: unknown, sub: string) => ({
        accountId: sub,
        claims: () => ({ sub, email: people.get(sub)?.email, email_verified: people.get(sub)?.verified, name: 'As it is there' }),
      }),
    });
    return { provider, callback: provider.callback() };
  });
  let asked: Known | undefined;
  const expect = (who: Known): void => {
    people.set(who.sub, who);
    asked = who;
  };
  server.on('request', (request, response) => {
    void (async () => {
      const { provider, callback } = await serving;
      if (!request.url?.startsWith('/interaction/')) return callback(request, response);
      const { prompt, params, session } = await provider.interactionDetails(request, response);
      if (prompt.name === 'login') return provider.interactionFinished(request, response, { login: { accountId: asked?.sub } });
      const grant = new provider.Grant({ accountId: session?.accountId, clientId: params.client_id });
      grant.addOIDCScope('openid email profile');
      return provider.interactionFinished(
        request,
        response,
        { consent: { grantId: await grant.save() } },
        { mergeWithLastSubmission: true },
      );
    })();
  });
  return {
    issuer,
    clientId,
    clientSecret,
    name: 'The provider',
    expect,
    async logIn(authorization, who) {
      expect(who);
      const jar = new Map<string, string>();
      let at = new URL(authorization);
      while (at.href.startsWith(issuer)) {
        const answer = await fetch(at, {
          redirect: 'manual',
          headers: { Cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
        });
        for (const cookie of answer.headers.getSetCookie()) {
          const [pair = ''] = cookie.split(';');
          jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
        }
        const next = answer.headers.get('Location');
        if (next === null) throw new Error(`the provider answers ${answer.status}: ${await answer.text()}`);
        at = new URL(next, at);
      }
      return at;
    },
    close: () => new Promise((closed) => server.close(() => closed())),
  };
};
