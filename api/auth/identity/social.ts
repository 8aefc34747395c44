import { datedFromStart } from './work-date.ts';
import type { LibraryOptions, SocialProvider } from './library.ts';
import { identityLibrary, SOCIAL_PROVIDER } from './library.ts';

/** Where the popup ends, with `?error=` after a failure. */
const LANDING = '/auth/callback';
/** How long the provider may take to describe itself. */
const TIMEOUT_MS = 10_000;

/**
 * Sign-in with an OpenID Connect provider. It leads to the open account whose e-mail address the provider has verified, and never creates
 * one. The provider's configuration is fetched when first needed, and again after a failure, so that a provider that is down delays no
 * other log-in.
 */
export class SocialSignIn {
  readonly #options: LibraryOptions;
  readonly #provider: SocialProvider;
  #library: ReturnType<typeof identityLibrary> | undefined;

  constructor(options: LibraryOptions, provider: SocialProvider) {
    this.#options = options;
    this.#provider = provider;
  }

  /** Sends the popup to the provider. */
  async begin(headers: Headers): Promise<Response> {
    const library = await this.#ready();
    if (!library) return toLanding('provider_away');
    const answer = await library.api.signInSocial({
      body: { provider: SOCIAL_PROVIDER, callbackURL: LANDING, errorCallbackURL: LANDING, disableRedirect: true },
      headers,
      asResponse: true,
    });
    const { url } = answer.ok ? ((await answer.json()) as { url?: string }) : {};
    return url === undefined ? toLanding('provider_away') : redirect(url, answer.headers.getSetCookie());
  }

  /** The provider sends the popup back. */
  async finish(request: Request): Promise<Response> {
    // PostgreSQL stores no NUL, so the library fails where it looks this up.
    if ([...new URL(request.url).searchParams.values()].some((value) => value.includes('\u0000'))) return toLanding('state_not_found');
    const library = await this.#ready();
    return library ? datedFromStart(this.#options.pool, () => library.handler(request)) : toLanding('provider_away');
  }

  /** If the provider could not be reached, the library lacks it: it is set up again next time. */
  async #ready(): Promise<ReturnType<typeof identityLibrary> | undefined> {
    if (this.#library) return this.#library;
    const { issuer } = this.#provider;
    const isThere = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
      .then((answer) => answer.ok)
      .catch(() => false);
    if (!isThere) return undefined;
    const library = identityLibrary(this.#options, this.#provider);
    const { socialProviders } = await library.$context;
    if (socialProviders.some(({ id }) => id === SOCIAL_PROVIDER)) this.#library = library;
    return this.#library;
  }
}

const redirect = (url: string, cookies: readonly string[] = []): Response => {
  const headers = new Headers({ Location: url, 'Cache-Control': 'no-store' });
  for (const cookie of cookies) headers.append('Set-Cookie', cookie);
  return new Response(null, { status: 302, headers });
};

const toLanding = (error: string): Response => redirect(`${LANDING}?error=${error}`);
