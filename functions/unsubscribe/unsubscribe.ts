import * as z from 'zod/mini';
import { admitCaller, type Presented } from '#shared/access/admit-caller';
import { createRefusalTally } from '#shared/access/refusal-tally';
import { requireScope } from '#shared/access/scopes';
import { knowsRetention } from '#shared/aws/settings';
import { defineEndpoint, type PageRequest, type Service } from '#shared/endpoints/endpoint';
import { notingRefusals } from '#shared/endpoints/note-refusals';
import { ServiceError } from '#shared/errors/service-error';
import { type HttpResponse, jsonResponse } from '#shared/http/http-response';
import { pageResponse } from '#shared/http/page-response';
import { parseForm } from '#shared/http/parse-request';
import { htmlPage } from '#shared/http/response-body';
import { sourceNetworkOf } from '#shared/http/source-address';
import { goneSenderPage } from '#shared/pages/error-pages';
import { unsubscribePage } from '#shared/pages/unsubscribe-page';
import { leaveCategory } from '#shared/preferences/change-preferences';
import { type ContactReporting, unsubscribeContact } from '#shared/preferences/contact-outbox';
import type { ContactFinding } from '#shared/preferences/find-contact';
import { knowsStrangerRules, maxRequestsPerHour } from '#shared/preferences/limit-strangers';
import { unsubscribeAddress } from '#shared/preferences/unsubscribe-address';
import {
  categoryToLeave,
  lookUpTokenHolder,
  preferencesPathOf,
  type TokenHolder,
  type TokenReading,
} from '#shared/send-history/token-holder';
import { bareAddressPartitions, contactPartitions, ratePartitions } from '#shared/table/keys';
import { readsKeyring } from '#shared/tokens/keyring-reader';
import { wakesWebhooks } from '#shared/webhook-deliveries/sqs-delivery-queue';

type UnsubscribeRequest = Presented &
  Pick<PageRequest<typeof declaration>, 'query' | 'source' | 'readFields'> &
  Partial<Pick<PageRequest<typeof declaration>, 'linkHost'>>;

type Unsubscribing = Service & TokenReading & ContactReporting;

const scopeOfPeople = 'suppressions_manage';

const declaration = defineEndpoint({
  route: 'POST /api/unsubscribe',
  // Someone who reads addresses in the console mustn’t be able to unsubscribe them all.
  access: { key: 'optional', scopeOfPeople },
  query: z.object({
    token: z.optional(z.string()),
    everything: z.optional(z.literal('true')),
  }),
  body: z.object({
    token: z.optional(z.string()),
    email: z.optional(z.string()),
    organizationId: z.optional(z.string()),
  }),
  accepts: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
  isBodyOptional: true,
  answers: {
    200: {
      body: z.union([
        z.object({ status: z.literal('unsubscribed'), categoryKey: z.optional(z.string()) }),
        htmlPage,
      ]),
      description: 'The address is unsubscribed.',
      example: { status: 'unsubscribed' },
    },
  },
  errors: [
    'malformed_body',
    'too_large',
    'validation_failed',
    'missing_scope',
    'contact_not_found',
    'concurrent_change',
    'rate_limited',
    'contact_limit_reached',
  ],
  isForPeople: true,
  uses: {
    keyring: readsKeyring,
    strangers: knowsStrangerRules,
    wakeWebhooks: wakesWebhooks,
    sendRetentionDays: knowsRetention,
    tally: createRefusalTally,
  },
  lambda: {
    stack: 'Links',
    reservation: 'links',
    tableActions: ['GetItem', 'PutItem', 'UpdateItem'],
    writesOnlyIn: {
      PutItem: [contactPartitions],
      UpdateItem: [contactPartitions, bareAddressPartitions, ratePartitions],
    },
    queriesIndexes: ['gsi1'],
  },
  words: {
    section: 'Preferences',
    summary: 'Unsubscribe an address from bulk email',
    description: `Ends bulk email to the recipient whose email contained the token. Mail clients do this with one click (RFC 8058). If the policy of that email has a category, it ends only that, unless the request has \`everything\`.

A program may name the address instead. It’s then unsubscribed from the key’s organization; without a key, from \`organizationId\`; without either, from every organization that knows it. Of people in the console, only those whose role may add suppressions can do that. Without a key the answer is the same whether or not the address is known, and an address works at most ${maxRequestsPerHour} times an hour.`,
    fields: {
      organizationId: 'The organization to unsubscribe from.',
      everything: 'Ends all bulk email, even if the token names a category.',
      categoryKey: 'The category that was left. Absent if all bulk email was ended.',
      status: 'The same if the address was unsubscribed before, or the sender has been deleted.',
    },
    example: { query: {}, body: { email: 'ann@example.com' } },
  },
});

export const endpoint = defineEndpoint(
  declaration,
  // RFC 8058 §3.2: the token is in the URL, the body says `List-Unsubscribe=One-Click`.
  async (request, service) => {
    const holder = await notingRefusals(service, request, () => unsubscribe(request, service));
    if (request.wantsPage && holder !== undefined) return donePage(holder);
    const category = holder === 'sender gone' ? undefined : holder?.category;
    return jsonResponse({ status: 'unsubscribed', ...(category && { categoryKey: category.key }) });
  },
);

/**
 * Unsubscribes the token's holder, or else the address in the body. A category's token leaves only that category,
 * unless the query asks for everything. With a token in the URL, the body isn't read (RFC 8058 §3.2). Idempotent.
 *
 * @returns the token's holder, with the category if only that was left; nothing for a bare address, so that the answer
 *   reveals nothing about it. For a deleted sender's token, there's nothing left to do.
 * @throws ServiceError `contact_not_found` for a token that isn't ours; `invalid_api_key`; as `unsubscribeAddress`
 */
export async function unsubscribe(
  { query, credential, context, source, readFields, linkHost }: UnsubscribeRequest,
  service: Unsubscribing & ContactFinding,
): Promise<TokenHolder | 'sender gone' | undefined> {
  const isForEverything = query.everything === 'true';
  const leave = (token: string) => unsubscribeHolder(token, isForEverything, service, linkHost);
  if (query.token !== undefined) return leave(query.token);
  const caller =
    credential === undefined ? undefined : await admitCaller({ credential, context }, service);
  const { token, ...address } = parseForm(declaration.body, await readFields());
  if (token !== undefined) return leave(token);
  // Links have a token. A bare address may be another organization's.
  if (linkHost !== undefined) throw new ServiceError('contact_not_found');
  if (caller?.apiKey.person !== undefined) requireScope(caller.apiKey, scopeOfPeople);
  const network = sourceNetworkOf(source, service.strangers.proxiesInFront);
  await unsubscribeAddress(address, { caller, network }, service);
  return undefined;
}

async function unsubscribeHolder(
  token: string,
  isForEverything: boolean,
  service: Unsubscribing,
  linkHost: string | undefined,
): Promise<TokenHolder | 'sender gone'> {
  const holder = await lookUpTokenHolder('unsubscribe', token, service, linkHost);
  if (holder === 'sender gone') return holder;
  const { contact, category } = holder;
  if (category === undefined || isForEverything) {
    await unsubscribeContact(contact, service);
    return { ...holder, category: undefined };
  }
  await leaveCategory(contact.id, category.key, service);
  return holder;
}

function donePage(holder: TokenHolder | 'sender gone'): HttpResponse {
  if (holder === 'sender gone') return pageResponse(200, goneSenderPage());
  const page = unsubscribePage({
    state: 'done',
    organizationName: holder.organization.name,
    email: holder.contact.email,
    preferencesUrl: preferencesPathOf(holder),
    category: categoryToLeave(holder),
  });
  return pageResponse(200, page);
}
