import * as z from 'zod/mini';
import { contactEnvironment } from '#shared/config/environment';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { htmlPage } from '#shared/http/response-body';
import { preferencesFormSchema } from '#shared/pages/preferences-form';
import { contactPartitions } from '#shared/table/keys';

export const endpoint = defineEndpoint({
  route: 'POST /preferences',
  access: 'anybody',
  query: z.object({ token: z.optional(z.string()) }),
  body: preferencesFormSchema,
  accepts: ['application/x-www-form-urlencoded', 'multipart/form-data'],
  isBodyOptional: true,
  answers: { 200: { body: htmlPage, description: 'The page again, with the stored choices.' } },
  errors: ['malformed_body', 'too_large', 'contact_not_found', 'sender_gone', 'concurrent_change'],
  isForPeople: true,
  lambda: {
    stack: 'Links',
    environment: contactEnvironment,
    reservation: 'links',
    tableActions: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    writesOnlyIn: {
      PutItem: [contactPartitions],
      UpdateItem: [contactPartitions],
      DeleteItem: [contactPartitions],
    },
    wakesWebhookQueue: true,
    readsSecrets: ['tokenSigningKey'],
  },
  words: {
    section: 'Links in emails',
    summary: 'Save a person’s preferences',
    description: 'Stores the form of the preferences page.',
    fields: {
      token: 'The token from the link.',
      shown: 'Each category that the page showed. All others stay as they are.',
      category: 'Each category that is ticked.',
      unsubscribeAll: 'The button that ends all bulk email.',
      resubscribe: 'The button that lifts that again.',
    },
    example: {
      query: { token: 'v1.k1.…' },
      body: { shown: ['newsletter'], category: ['newsletter'] },
    },
  },
});
