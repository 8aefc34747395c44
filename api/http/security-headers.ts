import { Hono, type MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import { nodeResponseIn } from './in-node.ts';

/**
 * The hash of an empty style element. The admin app's components insert their rules into such elements through the CSS object model, which
 * the policy does not restrict; style elements with text stay forbidden.
 */
const EMPTY_STYLE = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

/** `hstsSubdomains`: HTTPS is promised for every name below the public one, too. */
export type SecurityHeaders = { readonly publicUrl: string; readonly hstsSubdomains?: boolean | undefined };

/**
 * No foreign and no inline scripts, no framing; HSTS if the public address is HTTPS. They are the same for every answer, and set on Node's own
 * response where there is one: on the Response of each answer they would cost a save more than reading its request.
 */
export const securityHeaders = (options: SecurityHeaders): MiddlewareHandler => {
  const set = headersFor(options);
  let headers: readonly (readonly [string, string])[] | undefined;
  return async (c, next) => {
    const response = nodeResponseIn(c.env);
    if (!response) return set(c, next);
    headers ??= await namesAndValues(set);
    for (const [name, value] of headers) response.setHeader(name, value);
    return next();
  };
};

const namesAndValues = async (set: MiddlewareHandler): Promise<readonly (readonly [string, string])[]> => {
  const answer = await new Hono().all('*', set, (c) => c.body(null)).request('/');
  return [...answer.headers];
};

const headersFor = ({ publicUrl, hstsSubdomains = false }: SecurityHeaders): MiddlewareHandler =>
  secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", EMPTY_STYLE],
      imgSrc: ["'self'", 'data:', 'blob:'],
      fontSrc: ["'self'"],
      connectSrc: ["'self'"],
      // blob: for the QR code scanner's worker, in browsers without a built-in one. Only our own scripts can create one.
      workerSrc: ["'self'", 'blob:'],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
    referrerPolicy: 'same-origin',
    xFrameOptions: 'DENY',
    strictTransportSecurity: publicUrl.startsWith('https:') ? `max-age=31536000${hstsSubdomains ? '; includeSubDomains' : ''}` : false,
  });
