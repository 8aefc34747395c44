/** Copies a log until somebody kills it: `victim.ts FROM-URL TO`, where TO is a URL or a file. */
import { copyLog } from '../../../events/transfer/copy.ts';
import { fileTarget } from '../../../events/transfer/file.ts';
import { postgresLog } from '../../../events/transfer/postgres.ts';

const [from = '', to = ''] = process.argv.slice(2);
const target = to.startsWith('postgres:') ? postgresLog(to, 'the target') : fileTarget(to);
await copyLog(postgresLog(from, 'the source'), target, { onProgress: ({ step, events }) => process.stdout.write(`${step} ${events}\n`) });
await target.close?.();
