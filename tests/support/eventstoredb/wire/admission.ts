import { ServerInterceptingCall, type Metadata, type ServerInterceptor } from '@grpc/grpc-js';
import { accessDenied, unauthenticated, type Refusal } from './answers.ts';

export type Credentials = { readonly username: string; readonly password: string };

/** Only authenticated users may use streams; everybody may ask for the server's features. */
export const admitting =
  (credentials: Credentials): ServerInterceptor =>
  ({ path }, call) =>
    new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, pass) => {
            const refused = /ServerFeatures|Gossip/.test(path) ? undefined : refusalOf(metadata, credentials);
            if (refused) call.sendStatus(refused);
            else pass(metadata);
          },
        }),
    });

const refusalOf = (metadata: Metadata, { username, password }: Credentials): Refusal | undefined => {
  const [said] = metadata.get('authorization');
  if (said === undefined) return accessDenied();
  return said === `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` ? undefined : unauthenticated();
};
