import * as z from 'zod/mini';
import { knowsRetention } from '#shared/aws/settings';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { boundedList } from '#shared/errors/bounded';
import { acrossFields } from '#shared/errors/field-error';
import { sourceNetworkOf } from '#shared/http/source-address';
import { changePreferences } from '#shared/preferences/change-preferences';
import { findContact } from '#shared/preferences/find-contact';
import { knowsStrangerRules, maxRequestsPerHour } from '#shared/preferences/limit-strangers';
import { preferencesSchema, subscriptionSchema } from '#shared/preferences/preferences';
import { bareAddressPartitions, contactPartitions } from '#shared/table/keys';
import { exampleIds } from '#shared/tokens/example-values';
import { readsKeyring } from '#shared/tokens/keyring-reader';
import { wakesWebhooks } from '#shared/webhook-deliveries/sqs-delivery-queue';

const maxSubscriptions = 1_000;

export const endpoint = defineEndpoint(
  {
    route: 'POST /api/v1/preferences',
    access: { key: 'optional', scope: 'preferences_manage' },
    body: z
      .strictObject({
        token: z.optional(z.string()),
        email: z.optional(z.string()),
        subscriptions: boundedList(z.strictObject(subscriptionSchema.shape), maxSubscriptions, 1),
      })
      .check(
        z.refine(({ token, email }) => token !== undefined || email !== undefined, {
          path: ['token'],
          error: 'give a token or an email to name the contact',
          ...acrossFields,
        }),
      ),
    answers: {
      200: {
        body: preferencesSchema,
        description: 'The preferences after the change.',
        example: {
          contact: { id: exampleIds.contact, email: 'ann@example.com' },
          categories: [{ key: 'newsletter', name: 'Newsletter' }],
          subscriptions: [{ categoryKey: 'newsletter', subscribed: false }],
        },
      },
    },
    errors: ['ambiguous_contact', 'unknown_category', 'contact_not_found', 'rate_limited'],
    uses: {
      keyring: readsKeyring,
      strangers: knowsStrangerRules,
      wakeWebhooks: wakesWebhooks,
      sendRetentionDays: knowsRetention,
    },
    lambda: {
      stack: 'Links',
      reservation: 'links',
      tableActions: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
      writesOnlyIn: {
        PutItem: [contactPartitions],
        UpdateItem: [contactPartitions, bareAddressPartitions],
        DeleteItem: [contactPartitions],
      },
      queriesIndexes: ['gsi1'],
    },
    words: {
      section: 'Preferences',
      summary: 'Change the preferences of a contact',
      description: `Changes the categories that the request names: all of them or none. Anyone may know an address, so an address alone can only stop email: \`"subscribed": true\` needs a token or a key, and is ignored without one. An address alone works at most ${maxRequestsPerHour} times an hour.`,
      example: {
        body: {
          email: 'ann@example.com',
          subscriptions: [{ categoryKey: 'newsletter', subscribed: false }],
        },
      },
    },
  },
  async ({ caller, source, body }, service) => {
    const { subscriptions, ...names } = body;
    const network = sourceNetworkOf(source, service.strangers.proxiesInFront);
    const contact = await findContact({ ...names, caller, network }, 'change', service);
    return changePreferences(contact, subscriptions, service);
  },
);
