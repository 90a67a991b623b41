import {
  openSuppressionListStore,
  type Suppression,
  type SuppressionListStore,
  suppressionPositionSchema,
} from '#shared/suppressions/suppression-list-store';
import { readSuppressions } from '#shared/suppressions/suppression-search';
import { sortableTime } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import { contactIdOf, type OrganizationId, organizationIdOf } from '#shared/tokens/resource-id';

/** A suppression of an address, `ann@example.com` unless told. */
export function buildSuppression(
  organizationId: OrganizationId,
  { email = 'ann@example.com', ...given }: Partial<Suppression> = {},
): Suppression {
  const contactId = contactIdOf(organizationId, email);
  return { contactId, email, reason: 'bounce', at: 1_700_000_000_000, ...given };
}

export const positionOf = ({ at, reason, contactId }: Suppression) =>
  suppressionPositionSchema.parse(`${sortableTime(at)}#${reason}-${contactId}`);

/** A table of these suppressions. */
export const fakeSuppressionList = (all: readonly Suppression[]): SuppressionListStore => ({
  find: async (organizationId, reason, { before, limit }) =>
    all
      .filter((one) => organizationIdOf(one.contactId) === organizationId)
      .filter((one) => reason === undefined || one.reason === reason)
      .map((one) => ({ position: positionOf(one) }))
      .filter(({ position }) => before === undefined || position < before)
      .sort((one, other) => (one.position < other.position ? 1 : -1))
      .slice(0, limit),
  get: async (entries) =>
    entries.map(({ position }) => all.find((one) => positionOf(one) === position)),
  ofContact: async (contactId) => ({
    contact: undefined,
    suppressions: all.filter((one) => one.contactId === contactId),
  }),
});

/** What a table lists of an organization, newest first; all of it unless told. */
export const listSuppressions = async (
  table: Table,
  organizationId: OrganizationId,
  selection: object = {},
) =>
  (
    await readSuppressions(
      organizationId,
      { limit: 100, ...selection },
      openSuppressionListStore(table),
    )
  ).found;
