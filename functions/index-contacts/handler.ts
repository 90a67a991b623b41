import { serveStream } from '#shared/endpoints/serve-background';
import { lambda } from './function.ts';
import { indexContacts, tableStreamEventSchema } from './index-contacts.ts';

export const handler = serveStream(
  lambda,
  { event: tableStreamEventSchema, failure: 'contacts not indexed' },
  () => ({}),
  indexContacts,
);
