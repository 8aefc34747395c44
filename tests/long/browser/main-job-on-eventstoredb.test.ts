// Every step of the main job once more, with EVENTSTORE_URL pointing at the stand-in for EventStoreDB.
process.env['TEST_LOG'] = 'eventstoredb';
await import('./main-job.test.ts');
