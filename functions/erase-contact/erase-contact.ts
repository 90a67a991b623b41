import type { ContactDeliveriesStore } from '#shared/contacts/contact-deliveries-store';
import type { ContactStore } from '#shared/contacts/contact-store';
import { parseEmailAddress } from '#shared/contacts/email-address';
import { invalidField, ServiceError, secondsUntil } from '#shared/errors/service-error';
import type { Authentication } from '#shared/organizations/authenticate-caller';
import { authenticateManager } from '#shared/organizations/authenticate-manager';
import type { RecipientSendsStore, SendErasure } from '#shared/sending/recipient-sends-store';
import type { SendPosition } from '#shared/sending/send-position';
import { inParallel } from '#shared/timing/in-parallel';
import { type ContactId, contactIdOf } from '#shared/tokens/resource-id';
import type { EraseContactQuery } from './schema.ts';

export type Erasure = Authentication & {
  readonly sends: RecipientSendsStore;
  readonly contacts: Pick<ContactStore, 'erase'>;
  readonly contactDeliveries: ContactDeliveriesStore;
};

export type EraseContactCommand = {
  readonly credential: string | undefined;
  readonly email: string;
  /** Reads the query, once the caller is known. */
  readonly parse: () => EraseContactQuery;
};

/**
 * Erases a person from the key's organization: the address and the preferences of the contact go, its
 * suppressions stay under the digest of the address, and the address is replaced in what was sent to it.
 *
 * Order of effects: the sends, newest first, then the contact, then what webhooks are told of the contact.
 * Each is idempotent, and the address leads to all of them, so whatever ended a request half-way is mended
 * by repeating it. The contact comes late because it shows: as long as it is known, the erasure is not
 * over. A send that is made meanwhile is a new one: it makes the address known again, and is erased with
 * the next request.
 *
 * Sends are found by an eventually consistent index of their `to` addresses. One of the last moments may be
 * missed; one with the person in cc or bcc only, or whose earlier attempt alone went to the person, is not
 * found.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`; `erasure_unfinished` when
 *   there is more to do than one request can, or an email to the address is being sent
 */
export async function eraseContact(
  { credential, email, parse }: EraseContactCommand,
  erasure: Erasure,
): Promise<void> {
  const organizationId = await authenticateManager(credential, erasure);
  const { sends } = parse();
  const address = parseEmailAddress(email);
  if (!address.ok) throw invalidField('email', address.reason);

  const { identity } = address.value;
  const contactId = contactIdOf(organizationId, identity);
  const busyUntil = await eraseSends(contactId, { identity, expires: sends === 'true' }, erasure);
  await erasure.contacts.erase(contactId, erasure.now());
  await erasure.contactDeliveries.anonymise(contactId, identity);
  if (busyUntil !== undefined) throw beingSent(busyUntil, erasure.now());
}

const pageSize = 100;
const concurrency = 16;

/** After this no send is begun any more. HTTP API ends a request after 30 seconds. */
export const budgetMs = 20_000;

/**
 * @returns until when an attempt at one of the sends may be at work, epoch milliseconds; `undefined` when
 *   there is none.
 * @throws ServiceError `erasure_unfinished` when the time is over.
 */
async function eraseSends(
  contactId: ContactId,
  erasureOfSend: SendErasure,
  { sends, now }: Erasure,
): Promise<number | undefined> {
  const deadline = now() + budgetMs;
  let busyUntil: number | undefined;
  let before: SendPosition | undefined;
  for (;;) {
    const page = await sends.find(contactId, before, pageSize);
    await inParallel(page, concurrency, async ({ slotId }) => {
      if (now() >= deadline) throw timeIsOver();
      const outcome = await sends.anonymise(slotId, erasureOfSend, now());
      if (outcome.kind === 'under_way') busyUntil = Math.max(outcome.until, busyUntil ?? 0);
    });
    if (page.length < pageSize) return busyUntil;
    before = page.at(-1)?.position;
  }
}

const timeIsOver = (): ServiceError =>
  new ServiceError(
    'erasure_unfinished',
    'There is more to erase than one request can. What was done stays done: repeat the request to go on.',
    { retryAfterSeconds: 1 },
  );

const beingSent = (until: number, now: number): ServiceError =>
  new ServiceError(
    'erasure_unfinished',
    'An email to this address is being sent, or its outcome is being found out. Everything else is erased: wait for Retry-After, then repeat the request.',
    { retryAfterSeconds: secondsUntil(until, now) },
  );
