import { ensureContact, eraseContact, getContact } from '#shared/contacts/contact-store';
import type { Organization } from '#shared/organizations/organization';
import { putCategory } from '#shared/preferences/category-store';
import { storePreferences, unsubscribeContact } from '#shared/preferences/contact-outbox';
import {
  type ContactToken,
  type ContactTokenPurpose,
  signContactToken,
} from '#shared/preferences/contact-token';
import { deliveriesOfContact } from '#shared/table/delivery-keys';
import { queryAll } from '#shared/table/reads';
import { contactIdOf, feedbackIdOf, newWebhookId } from '#shared/tokens/resource-id';
import type { DeliveryReference } from '#shared/webhook-deliveries/delivery';
import { toDelivery } from '#shared/webhook-deliveries/delivery-store';
import { openAccount } from './account.ts';
import { buildKeyring } from './keyring-builder.ts';
import { buildOrganization } from './organization-builder.ts';
import { newSendId } from './send-builder.ts';

const email = 'ann@example.com';

/**
 * An account that may serve preferences and links in emails. It has the category `news`, and Ann as its only contact.
 */
export async function openAudience(given: Partial<Organization> = {}) {
  const organization = buildOrganization(given);
  const { id } = organization;
  const account = await openAccount({
    ...organization,
    webhooks: { [newWebhookId(id)]: { eventTypes: [] } },
  });
  const { table, clock } = account;
  await putCategory(table, id, { key: 'news', name: 'News' });
  await ensureContact(table, id, email, clock.at - 60_000);
  const contactId = contactIdOf(id, email);
  const feedbackId = feedbackIdOf(newSendId(id));
  const keyring = buildKeyring();
  const woken: DeliveryReference[] = [];
  const ann = async () => {
    const contact = await getContact(table, contactId);
    if (contact === undefined) throw new Error('Ann is no contact');
    return contact;
  };
  const service = {
    ...account,
    keyring: async () => keyring,
    strangers: { preferencesByAddress: true, proxiesInFront: 0 },
    sendRetentionDays: 90,
    wakeWebhooks: async (deliveries: readonly DeliveryReference[]) => {
      woken.push(...deliveries);
    },
  };
  return {
    ...service,
    contactId,
    feedbackId,
    ann,
    /** Of a link in an email to Ann. */
    tokenOf: (purpose: ContactTokenPurpose, other: Partial<ContactToken> = {}) =>
      signContactToken(keyring, purpose, { contactId, feedbackId, ...other }),
    /** Ann chooses, at an earlier time. No webhook gets it. */
    choose: async (subscriptions: Record<string, boolean>) => {
      const update = { subscriptions, liftsUnsubscribe: false };
      await storePreferences(table, await ann(), update, [], clock.at - 1);
    },
    /** Ann unsubscribes from everything, at an earlier time. No webhook gets it. */
    leave: () =>
      unsubscribeContact(
        { id: contactId, email },
        { ...service, now: () => clock.at - 1, wakeWebhooks: async () => {} },
      ),
    erase: () => eraseContact(table, contactId, clock.at),
    /** What webhooks get of Ann since the last look: stored, and the queue woken for it. */
    reported: async () => {
      const stored = (await queryAll(table, deliveriesOfContact(contactId))).map(toDelivery);
      return woken.splice(0).map(({ id }) => stored.find((one) => one.id === id)?.type);
    },
    /** How often each address and network that proved nothing was counted, in no certain order. */
    strangersCounted: () =>
      account
        .items()
        .flatMap(({ pk, requests }) => (`${pk}`.startsWith('ADDRESS#') ? requests : [])),
  };
}

export type Audience = Awaited<ReturnType<typeof openAudience>>;
