import * as z from 'zod/mini';
import { parseEmailAddress } from '#shared/contacts/email-address';
import { boundedList } from '#shared/errors/bounded';
import { invalidField, ServiceError } from '#shared/errors/service-error';
import { oneEmailAddress } from '#shared/sending/request/send-fields';
import {
  getSuppressedContact,
  type Suppression,
  type SuppressionPosition,
  suppressionPositionSchema,
} from '#shared/suppressions/suppression-list-store';
import { sortableTime } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import {
  type ContactId,
  contactIdOf,
  contactIdSchema,
  type OrganizationId,
  organizationIdOf,
} from '#shared/tokens/resource-id';
import { resendList } from './list-page.ts';
import { resendTime, resendTimeSchema } from './management.ts';

// Resend has one suppression per address. Here an address may have one for each reason, which count as one there.
// Unsubscribing doesn't count: it stops bulk email only.

export const origins = ['bounce', 'complaint', 'manual'] as const;
type Origin = (typeof origins)[number];
const isOrigin = (reason: string): reason is Origin => origins.some((one) => one === reason);

const idOf = ({ reason, contactId }: Pick<Suppression, 'reason' | 'contactId'>): string =>
  `${reason}-${contactId}`;

type Named = { readonly origin: Origin; readonly contactId: ContactId };

function readId(text: string, organizationId: OrganizationId): Named | undefined {
  const [origin = '', id] = text.split('-');
  const contactId = contactIdSchema.safeParse(id).data;
  const isOwn = contactId !== undefined && organizationIdOf(contactId) === organizationId;
  return isOwn && isOrigin(origin) ? { origin, contactId } : undefined;
}

type NamedSuppressions = {
  readonly contactId: ContactId;
  readonly all: readonly Suppression[];
  /** The gravest first. */
  readonly named: readonly [Suppression, ...Suppression[]];
  readonly address?: string;
};

/** @returns `undefined` if nothing is suppressed under that name. */
export async function findSuppressions(
  table: Table,
  text: string,
  organizationId: OrganizationId,
): Promise<NamedSuppressions | undefined> {
  const byId = readId(text, organizationId);
  const parsed = parseEmailAddress(text);
  if (byId === undefined && !parsed.ok) return undefined;
  const address = parsed.ok ? parsed.value : undefined;
  const contactId = byId?.contactId ?? (address && contactIdOf(organizationId, address.identity));
  if (contactId === undefined) return undefined;
  const { suppressions: all } = await getSuppressedContact(table, contactId);
  const [first, ...others] = all.filter(({ reason }) =>
    byId === undefined ? isOrigin(reason) : reason === byId.origin,
  );
  if (first === undefined) return undefined;
  return {
    contactId,
    all,
    named: [first, ...others],
    ...(address && { address: address.address }),
  };
}

export async function requireSuppressions(
  table: Table,
  text: string,
  organizationId: OrganizationId,
): Promise<NamedSuppressions> {
  const found = await findSuppressions(table, text, organizationId);
  if (found === undefined) throw new ServiceError('suppression_not_found');
  return found;
}

export const positionOf = (suppression: Suppression): SuppressionPosition =>
  suppressionPositionSchema.parse(`${sortableTime(suppression.at)}#${idOf(suppression)}`);

const email = oneEmailAddress;
export const resendSuppressionSchema = z.strictObject({ email });

const maxInBatch = 100;
const batchOf = <Entry extends z.ZodMiniType>(entry: Entry) => boundedList(entry, maxInBatch, 1);
export const resendSuppressionsSchema = z.strictObject({ emails: batchOf(email) });
export const resendRemovalsSchema = z.strictObject({
  emails: z.optional(batchOf(z.string())),
  ids: z.optional(batchOf(z.string())),
});

export function namesIn({ emails, ids }: z.output<typeof resendRemovalsSchema>): string[] {
  if (emails !== undefined && ids !== undefined) {
    throw invalidField('ids', 'can’t be combined with emails');
  }
  const names = emails ?? ids;
  if (names === undefined) throw invalidField('emails', 'is required unless ids is set');
  return [...new Set(names)];
}

export const suppressionIdSchema = z.object({ object: z.literal('suppression'), id: z.string() });

export const toSuppressionId = (suppression: Pick<Suppression, 'reason' | 'contactId'>) => ({
  object: 'suppression' as const,
  id: idOf(suppression),
});

export const listedSuppressionSchema = z.object({
  id: z.string(),
  email: z.nullable(z.string()),
  origin: z.enum(origins),
  source_id: z.null(),
  created_at: resendTimeSchema,
});

export const suppressionSchema = z.object({
  object: z.literal('suppression'),
  ...listedSuppressionSchema.shape,
});

export function toListedSuppression(suppression: Suppression) {
  const { reason, email: address, at } = suppression;
  return {
    id: idOf(suppression),
    email: address ?? null,
    origin: z.enum(origins).parse(reason),
    source_id: null,
    created_at: resendTime(at),
  };
}

export const suppressionWords = {
  id: 'Its ID, or the address, URL-encoded.',
  email: 'The address; `null` once the person was erased.',
  emails: 'The addresses, 100 at most.',
  ids: 'Suppressions by their IDs, in place of `emails`.',
  origin: 'Why: `bounce`, `complaint` or `manual`.',
  source_id: '`null`: the email isn’t recorded.',
} as const;

const exampleId = `bounce-${exampleIds.contact}`;
export const exampleSuppressionId = { object: 'suppression', id: exampleId } as const;
const exampleListed = {
  id: exampleId,
  email: 'bob@example.com',
  origin: 'bounce',
  source_id: null,
  created_at: resendTime(exampleTime),
} as const;
export const exampleSuppressions = resendList([exampleListed], false);
export const exampleResendSuppression = { object: 'suppression', ...exampleListed } as const;
