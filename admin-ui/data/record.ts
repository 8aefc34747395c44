import type { Answer } from '#api/contract/answer';
import type { Records } from '#api/contracts';
import type { RaRecord } from 'react-admin';

/** A record of /api/rest/{name}. */
export type RecordOf<Name extends keyof Records> = RaRecord<string> & Answer<Records[Name]>;
