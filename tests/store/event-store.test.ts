import { eventStoreDbLog } from './logs/eventstoredb.ts';
import { memoryLog } from './logs/memory.ts';
import { postgresLog } from './logs/postgres.ts';
import { eventStoreContract } from './event-store.ts';

eventStoreContract('memory', memoryLog);
eventStoreContract('postgres', postgresLog);
eventStoreContract('eventstoredb', eventStoreDbLog);
