import { maySignIn } from '#shared/access/api-key';
import { getApiKey } from '#shared/access/api-key-store';
import { mailedLinkText } from '#shared/access/credential-text';
import { newMailedLink } from '#shared/access/mailed-link';
import { storeMailedLink } from '#shared/access/mailed-link-store';
import { storePerson } from '#shared/access/people-store';
import { newPerson } from '#shared/access/person';
import { type Role, roles } from '#shared/access/roles';
import { linkMs } from '#shared/access/sign-in';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { signInCookie } from '#shared/http/session-cookie';
import { openTable, type Table } from '#shared/table/table-client';
import { randomBase32 } from '#shared/tokens/base32';
import {
  type OrganizationId,
  organizationIdSchema,
  personalKeyIdOf,
} from '#shared/tokens/resource-id';
import { type SignedIn, signInWith } from './console-link.ts';

export const addressOfRole = (role: Role): string => `${role}@mail.example.com`;

/** One person of each role, who has signed in before. */
export async function seedPeople(table: Table, organizationId: OrganizationId, now: number) {
  for (const [index, role] of roles.entries()) {
    const person = newPerson(
      { organizationId },
      { identity: addressOfRole(role), role },
      now + index,
    );
    await storePerson(table, { ...person, lastUsedAt: now }, []);
  }
}

/**
 * Signs a browser in as the person with this role, as if they had opened a mailed link in it.
 *
 * @returns `undefined` if they were removed
 */
export async function signInAs(
  role: Role,
  { baseUrl, organizationId }: { readonly baseUrl: string; readonly organizationId: string },
): Promise<SignedIn | undefined> {
  const id = personalKeyIdOf(organizationIdSchema.parse(organizationId), addressOfRole(role));
  const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
  const now = Date.now();
  const found = await getApiKey(table, id);
  if (found === undefined || !maySignIn(found.apiKey, now)) return undefined;
  const browser = randomBase32(32);
  const link = newMailedLink(addressOfRole(role), browser, now);
  const { text, secretHash } = mailedLinkText(link.id, randomBase32(32));
  await storeMailedLink(table, { ...link, made: { keyId: id, secretHash } });
  const cookie = signInCookie(browser, now + linkMs, now);
  return signInWith(text, { baseUrl, page: '/console', cookie });
}
