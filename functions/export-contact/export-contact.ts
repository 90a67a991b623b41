import * as z from 'zod/mini';
import { auditEntryWords } from '#shared/access/audit-view';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { appendAuditEntry, auditPositionSchema, listAuditEntries } from '#shared/audit/audit-store';
import { workBudgetMs } from '#shared/config/work-budget';
import { bareAddress } from '#shared/contacts/address-field';
import { isKnown } from '#shared/contacts/contact';
import { defineEndpoint, type RequestTo, type Service } from '#shared/endpoints/endpoint';
import { choicesOf } from '#shared/preferences/preferences';
import { readSends, sendPositionSchema } from '#shared/send-history/send-list-store';
import { getTimeline } from '#shared/send-history/timeline-store';
import { getSuppressedContact } from '#shared/suppressions/suppression-list-store';
import { suppressionFields } from '#shared/suppressions/suppression-reference';
import { toSuppressionView } from '#shared/suppressions/suppression-view';
import { sealCursor, unsealCursor } from '#shared/table/cursor';
import { isExpired } from '#shared/table/expiry';
import { pageSchema } from '#shared/table/list-position';
import { type ContactId, contactIdOf, type OrganizationId } from '#shared/tokens/resource-id';
import { readContactDeliveries } from '#shared/webhook-deliveries/delivery-store';
import {
  type ExportedRecord,
  exampleRecord,
  exportedRecordSchema,
  toExportedDelivery,
  toExportedEmail,
} from './exported-record.ts';

const declaration = defineEndpoint({
  route: 'GET /api/v1/contacts/{email}/export',
  access: {
    key: 'required',
    scope: ['contacts_export', 'manage_organization'],
    freshSession: true,
  },
  path: z.object({ email: bareAddress }),
  query: z.strictObject({ cursor: z.optional(z.string()) }),
  answers: {
    200: {
      body: pageSchema(exportedRecordSchema),
      description: 'Part of what is known of the address.',
      example: { data: [exampleRecord], nextCursor: null },
    },
  },
  errors: ['validation_failed'],
  isLimited: true,
  lambda: {
    stack: 'Recipients',
    writesAudit: true,
    tableActions: ['GetItem', 'BatchGetItem', 'Query'],
    queriesIndexes: ['gsi3'],
  },
  words: {
    section: 'Recipients',
    summary: 'Export what is known of a person',
    description: `For a person who asks what you have about them: the contact with its choices, its suppressions, the emails to the address with their events and webhooks, test emails included, and the audit entries about it. Other recipients of these emails aren’t in it, nor are kept contents, nor who made the changes.

An answer has as much as fits into some seconds, possibly nothing: as long as there is a \`nextCursor\`, there’s more. The first answer leaves an entry in the audit. An address that’s unknown or erased gets what is left: its suppressions and the audit entries.`,
    fields: {
      ...suppressionFields('suppression'),
      email: 'The address. URL-encode it in the path.',
      cursor: 'The previous answer’s `nextCursor`.',
      'data.kind': 'Which of the other fields there is.',
      'data.contact': 'The contact, and the choices of the person.',
      'data.suppression': 'Why the address gets no email, or no bulk email.',
      'data.email': 'An email to the address, as this recipient had it.',
      'email.field': 'Where the email names the person.',
      'email.outcome':
        'What became of it for this person, in the terms of `outcome` in the list of sends.',
      'email.fromName': 'The sender’s name.',
      'email.tags': 'Its tags.',
      'email.metadata': 'What your application attached to it.',
      'email.headers': 'Its custom headers.',
      'data.webhook': 'A webhook message about the person, and where it went.',
      'data.change': 'What somebody changed about the address.',
      'data.change.at': auditEntryWords.at,
      'data.change.action': auditEntryWords.action,
      'data.change.before': auditEntryWords.before,
      'data.change.after': auditEntryWords.after,
    },
    example: { path: { email: 'ann@example.com' } },
  },
});

type Asked = {
  readonly organizationId: OrganizationId;
  readonly contactId: ContactId;
  readonly identity: string;
};

type Part = { readonly data: readonly ExportedRecord[]; readonly next: string | undefined };

/** What it goes through after the contact itself, in this order. */
const stages = ['webhooks', 'emails', 'tests', 'changes'] as const;
type Stage = (typeof stages)[number];

/** A stage, and the position in its list; none at its start. */
const placeSchema = z.string().check(z.regex(/^(?:webhooks|emails|tests|changes) [\w#-]*$/));

const stageSchema = z.enum(stages);
const stageAfter = (stage: Stage): Stage | undefined => stages[stages.indexOf(stage) + 1];

const startOf = (stage: Stage | undefined): string | undefined => stage && `${stage} `;

export const endpoint = defineEndpoint(
  declaration,
  async ({ caller, path, query }: RequestTo<typeof declaration>, service) => {
    // Whoever may only erase reads no subjects, metadata and events.
    const { organizationId, actor, cursorOwner: owner } = caller;
    const { identity } = path.email;
    const contactId = contactIdOf(organizationId, identity);
    const asked = { organizationId, contactId, identity };
    const scope = { list: 'contacts/export', owner, filters: { contactId } };
    const place = unsealCursor(query.cursor, placeSchema, scope);
    const { data, next } =
      place === undefined
        ? { data: await readContact(asked, service), next: startOf(stages[0]) }
        : await readPart(place, asked, service);
    if (place === undefined) {
      const change = { action: 'contact.exported', target: contactId };
      const entry = newAuditEntry(organizationId, actor, change, service.now());
      await appendAuditEntry(service.table, entry);
    }
    return { data: [...data], nextCursor: sealCursor(next, scope) };
  },
);

type Reading = Pick<Service, 'table' | 'now'>;

async function readContact({ contactId }: Asked, { table }: Reading): Promise<ExportedRecord[]> {
  const { contact, suppressions } = await getSuppressedContact(table, contactId);
  return [
    ...(isKnown(contact)
      ? [{ kind: 'contact', contact: { ...contact, subscriptions: choicesOf(contact) } } as const]
      : []),
    ...suppressions.map(
      (one) => ({ kind: 'suppression', suppression: toSuppressionView(one) }) as const,
    ),
  ];
}

function readPart(place: string, asked: Asked, reading: Reading): Promise<Part> {
  const [stage = '', position = ''] = place.split(' ');
  const at = stageSchema.parse(stage);
  switch (at) {
    case 'webhooks':
      return readWebhooks(position, asked, reading);
    case 'changes':
      return readChanges(position, asked, reading);
    default:
      return readEmails(at, position, asked, reading);
  }
}

/** Each has its message, a few KB, which isn't shown. */
const webhooksAtOnce = 200;

async function readWebhooks(
  position: string,
  { contactId }: Asked,
  { table, now }: Reading,
): Promise<Part> {
  const range = { after: position === '' ? undefined : position, limit: webhooksAtOnce };
  const { deliveries, next } = await readContactDeliveries(table, contactId, range);
  const data = deliveries
    .filter((one) => !isExpired(one, now()))
    .map((one) => ({ kind: 'webhook', webhook: toExportedDelivery(one) }) as const);
  return { data, next: next === undefined ? startOf(stageAfter('webhooks')) : `webhooks ${next}` };
}

/** Each is a Query of the email's partition, and its answer at most some 100 KB: metadata, events and webhooks. */
const emailsAtOnce = 20;

async function readEmails(
  stage: 'emails' | 'tests',
  position: string,
  { organizationId, contactId, identity }: Asked,
  { table, now }: Reading,
): Promise<Part> {
  const { found, next } = await readSends(
    table,
    organizationId,
    {
      to: contactId,
      isTest: stage === 'tests',
      before: position === '' ? undefined : sendPositionSchema.parse(position),
      limit: emailsAtOnce,
    },
    now,
  );
  const timelines = await Promise.all(found.map(({ id }) => getTimeline(table, id, now())));
  const data = timelines.flatMap((timeline) =>
    timeline === undefined
      ? []
      : [{ kind: 'email', email: toExportedEmail(timeline, identity, now()) } as const],
  );
  return { data, next: next === undefined ? startOf(stageAfter(stage)) : `${stage} ${next}` };
}

/** The audit has no index by target, so a request reads on in it: half a megabyte at a time. */
const entriesAtOnce = 1_000;
const mostReads = 20;

async function readChanges(
  position: string,
  { organizationId, contactId }: Asked,
  { table, now }: Reading,
): Promise<Part> {
  const deadline = now() + workBudgetMs;
  const data: ExportedRecord[] = [];
  let before = position === '' ? undefined : auditPositionSchema.parse(position);
  for (let read = 0; read < mostReads && now() < deadline; read += 1) {
    const range = { before, limit: entriesAtOnce };
    const { entries, next } = await listAuditEntries(table, organizationId, range, now());
    const about = entries.filter(({ target }) => target === contactId);
    data.push(...about.map((change) => ({ kind: 'change', change }) as const));
    if (next === undefined) return { data, next: undefined };
    before = auditPositionSchema.parse(next);
  }
  return { data, next: `changes ${before}` };
}
