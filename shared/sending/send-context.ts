import {
  type ApiKey,
  authenticate,
  holdsSecret,
  invalidApiKey,
  type PresentedKey,
  parseApiKey,
} from '#shared/access/api-key';
import { toApiKey } from '#shared/access/api-key-store';
import { noteKeyUse } from '#shared/access/note-key-use';
import type { RequestContext } from '#shared/access/request-context';
import { requireScope, type Scope } from '#shared/access/scopes';
import type { Contact } from '#shared/contacts/contact';
import { toContact } from '#shared/contacts/contact-store';
import type { EmailAddress } from '#shared/contacts/email-address';
import { type Organization, requireSameDigest } from '#shared/organizations/organization';
import { toOrganization } from '#shared/organizations/organization-store';
import { apiKeyKey, contactKey, type Key, organizationKey } from '#shared/table/keys';
import { batchGet } from '#shared/table/reads';
import type { StoredItem, Table } from '#shared/table/table-client';
import {
  readSentTemplate,
  type SentTemplateReading,
  type TemplateAsk,
} from '#shared/templates/sent-template-store';
import {
  type ApiKeyId,
  contactIdOf,
  type OrganizationId,
  organizationIdOf,
} from '#shared/tokens/resource-id';
import {
  type ParsedSendRequest,
  recipientsIn,
  type SendRequest,
  type TemplateSendRequest,
} from './request/send-request.ts';

/** What is read before an email is checked: who asks, and what the table knows of its recipients and its template. */
export type SendContext = {
  readonly apiKey: ApiKey;
  readonly organization: Organization;
  readonly contactOf: StoredContext['contactOf'];
  /** Finds only the organization's own templates that the emails ask for. */
  readonly templateOf: (ask: TemplateAsk) => SentTemplateReading | undefined;
};

export type Asking = {
  readonly credential: string | PresentedKey | undefined;
  readonly now: number;
  readonly context: RequestContext;
  /** The key needs one of these. Default: `send_email`. */
  readonly scopes?: readonly Scope[] | undefined;
};

/** A plain send has no more recipients, so a forged key costs no more reads. */
const maxReadWithKey = 3;

/** Whether all of it is read in one round trip, before the key is known to be valid. */
const isPlain = (email: ParsedSendRequest): boolean =>
  !email.ok ||
  (email.value.template === undefined && recipientsIn(email.value).length <= maxReadWithKey);

/**
 * Checks key and scope of a single send, and reads whatever else it needs. A caller without a valid key doesn't learn
 * whether its request was well-formed.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`
 */
export async function readContextOfOne(
  table: Table,
  asking: Asking,
  email: ParsedSendRequest,
): Promise<SendContext> {
  if (!isPlain(email)) return readContext(table, asking, [email]);
  const presented = presentedIn(asking.credential);
  const recipients = email.ok ? recipientsIn(email.value) : [];
  const stored = await readStored(table, organizationIdOf(presented.id), presented.id, recipients);
  const known = admitKey(table, presented, stored, asking);
  return { ...known, contactOf: stored.contactOf, templateOf: () => undefined };
}

/**
 * Checks key and scope, then reads whatever else the emails need. Anyone can make up a key, and the reads of a batch
 * are thousands.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`
 */
export async function readContext(
  table: Table,
  asking: Asking,
  emails: readonly ParsedSendRequest[],
): Promise<SendContext> {
  const presented = presentedIn(asking.credential);
  const organizationId = organizationIdOf(presented.id);
  const stored = await readStored(table, organizationId, presented.id, []);
  const known = admitKey(table, presented, stored, asking);
  const requests = emails.flatMap((email) => (email.ok ? [email.value] : []));
  const [contactOf, templateOf] = await Promise.all([
    readContacts(table, organizationId, requests.flatMap(recipientsIn)),
    readTemplates(table, organizationId, requests),
  ]);
  return { ...known, contactOf, templateOf };
}

const presentedIn = (credential: string | PresentedKey | undefined): PresentedKey =>
  typeof credential === 'object' ? credential : parseApiKey(credential);

function admitKey(
  table: Table,
  presented: PresentedKey,
  stored: StoredContext,
  { now, context, scopes = ['send_email'] }: Asking,
): Pick<SendContext, 'apiKey' | 'organization'> {
  const { organization } = stored;
  if (organization && holdsSecret(presented, stored.apiKey)) {
    context.apiKeyId = presented.id;
    context.keepsRefusedShapes = organization.keepRefusedShapes;
  }
  const apiKey = authenticate(presented, stored.apiKey, now);
  if (organization === undefined) throw invalidApiKey();
  context.pendingWork.push(noteKeyUse(table, apiKey, now));
  requireScope(apiKey, ...scopes);
  requireSameDigest(organization);
  context.log.bind({ organizationId: organization.id });
  return { apiKey, organization };
}

/** Templates that several emails share are read once. */
export async function readTemplates(
  table: Table,
  organizationId: OrganizationId,
  requests: readonly (SendRequest | TemplateSendRequest)[],
): Promise<SendContext['templateOf']> {
  const asks = new Map(
    requests.flatMap(({ template }) =>
      template === undefined ? [] : [[wordsOf(template.asked), template.asked] as const],
    ),
  );
  const readings = await Promise.all(
    [...asks].map(
      async ([words, ask]) => [words, await readSentTemplate(table, organizationId, ask)] as const,
    ),
  );
  const found = new Map(readings);
  return (ask) => found.get(wordsOf(ask));
}

const wordsOf = ({ name, version, locale }: TemplateAsk): string =>
  [name, version, locale].join(' ');

export type StoredContext = {
  readonly apiKey: ApiKey | undefined;
  readonly organization: Organization | undefined;
  readonly contactOf: (address: EmailAddress) => Contact | undefined;
};

/**
 * Reads key, organization and every recipient's contact in one strongly consistent BatchGetItem, so a key revoked or an
 * address suppressed a moment ago counts at once.
 *
 * @param apiKeyId none for an email from the service itself.
 * @throws Error if an item can't be read. No email goes out with its suppressions unchecked.
 */
export async function readStored(
  table: Table,
  organizationId: OrganizationId,
  apiKeyId: ApiKeyId | undefined,
  recipients: readonly EmailAddress[],
): Promise<StoredContext> {
  const contactKeys = contactKeysOf(organizationId, recipients);
  const keyOfApiKey = apiKeyId && apiKeyKey(apiKeyId);
  const keys = [...(keyOfApiKey ? [keyOfApiKey] : []), organizationKey(organizationId)];

  const itemOf = await batchGet(table, [...keys, ...contactKeys.values()]);

  const apiKey = keyOfApiKey && itemOf(keyOfApiKey);
  const organization = itemOf(organizationKey(organizationId));
  return {
    apiKey: apiKey && toApiKey(apiKey),
    organization: organization && toOrganization(organization),
    contactOf: contactsIn(contactKeys, itemOf),
  };
}

/** For recipients that are read once the key is known. Otherwise like `readStored`. */
async function readContacts(
  table: Table,
  organizationId: OrganizationId,
  recipients: readonly EmailAddress[],
): Promise<StoredContext['contactOf']> {
  const contactKeys = contactKeysOf(organizationId, recipients);
  return contactsIn(contactKeys, await batchGet(table, [...contactKeys.values()]));
}

const contactKeysOf = (
  organizationId: OrganizationId,
  recipients: readonly EmailAddress[],
): ReadonlyMap<string, Key> =>
  new Map(
    recipients.map(({ identity }) => [identity, contactKey(contactIdOf(organizationId, identity))]),
  );

function contactsIn(
  contactKeys: ReadonlyMap<string, Key>,
  itemOf: (key: Key) => StoredItem | undefined,
): StoredContext['contactOf'] {
  const contacts = new Map<string, Contact>();
  for (const [identity, key] of contactKeys) {
    const contact = itemOf(key);
    if (contact !== undefined) contacts.set(identity, toContact(contact));
  }
  return ({ identity }) => contacts.get(identity);
}
