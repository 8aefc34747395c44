import type { AuthServices } from '../auth/auth.ts';
import type { JoinCodes } from '../auth/joining/join-codes.ts';
import { Joining } from '../auth/joining/joining.ts';
import { Places } from '../auth/joining/places.ts';
import { LogIn } from '../auth/log-in/log-in.ts';
import type { SocialSignIn } from '../auth/log-in/social.ts';
import { Recovery } from '../auth/password/recovery.ts';
import { Profile } from '../auth/profile/profile.ts';
import { Activation } from '../auth/registration/activation.ts';
import { Registration } from '../auth/registration/registration.ts';
import type { RobotCheck } from '../auth/registration/robot.ts';
import { RobotPass } from '../auth/registration/robot-pass.ts';
import type { Site } from '../contract/auth.ts';

export type AccountOptions = {
  readonly auth: AuthServices;
  readonly joinCodes: JoinCodes;
  readonly robot: RobotCheck;
  readonly site?: Site;
  readonly social?: SocialSignIn | undefined;
};

/** What the calls about sessions and accounts are built of, as /api/door and /api/identity are. */
export const accountServices = ({ auth, joinCodes, robot, social, site = { operator: {} } }: AccountOptions) => {
  const passes = new RobotPass(auth.pool, auth.secrets);
  return {
    auth,
    joinCodes,
    robot,
    social,
    passes,
    logIns: new LogIn(auth),
    recovery: new Recovery(auth),
    activation: new Activation(auth),
    profile: new Profile(auth),
    joining: new Joining(auth, joinCodes, new Places(auth.pool, auth.limits, auth.secrets)),
    registration: new Registration(auth, passes, site),
  };
};

export type AccountServices = ReturnType<typeof accountServices>;
