import type { RecordedEvent } from '../../events/registry.ts';
import { SCHOOL } from '../../run/demo/builder.ts';
import { testDatabase } from './postgres.ts';
import type { Product } from './product.ts';
import { openProduct } from './product.ts';

export const eventsIn = async (product: Product): Promise<RecordedEvent[]> => {
  const events: RecordedEvent[] = [];
  for await (const event of product.backend.eventsOf(SCHOOL)) events.push(event);
  return events;
};

/** Without a school. */
export const emptyProduct = async (atEnd: (close: () => Promise<unknown>) => void): Promise<Product> => {
  const database = await testDatabase();
  atEnd(() => database.drop());
  const product = await openProduct(database.url);
  atEnd(() => product.close());
  return product;
};
