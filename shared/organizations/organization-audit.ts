import { isDeepStrictEqual } from 'node:util';
import type { Change } from '#shared/audit/audit-entry';
import type { Organization } from './organization.ts';

/** The audit only says that these addresses are set, never what they are. */
const addresses: ReadonlySet<string> = new Set(['replyTo', 'noticeEmail']);

/** It says no more than the address itself. */
const unshown: ReadonlySet<string> = new Set(['noticeEmailVersion']);

/** What the audit says about a change of an organization's own fields. `null` means no value. */
export function organizationChange(before: Organization, after: Organization): Change {
  const [was, is] = [Object.entries(before), Object.entries(after)].map(
    (entries) => new Map<string, unknown>(entries),
  );
  const names = new Set([...Object.keys(before), ...Object.keys(after)]).difference(unshown);
  const different = [...names].filter((name) => !isDeepStrictEqual(was?.get(name), is?.get(name)));
  const valuesIn = (values: ReadonlyMap<string, unknown> | undefined) =>
    Object.fromEntries(different.map((name) => [name, shownValue(name, values?.get(name))]));
  return {
    action: 'organization.updated',
    target: before.id,
    before: valuesIn(was),
    after: valuesIn(is),
  };
}

const shownValue = (name: string, value: unknown): unknown => {
  if (value === undefined) return null;
  return addresses.has(name) ? 'an address' : value;
};
