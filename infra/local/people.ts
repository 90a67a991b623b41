import { maySignIn } from '#shared/access/api-key';
import { getApiKey } from '#shared/access/api-key-store';
import { mailedLinkText } from '#shared/access/credential-text';
import { newMailedLink } from '#shared/access/mailed-link';
import { storeMailedLink } from '#shared/access/mailed-link-store';
import { personalKeysFor } from '#shared/access/operator-store';
import { storePerson } from '#shared/access/people-store';
import { newPerson } from '#shared/access/person';
import { type Role, roles } from '#shared/access/roles';
import { linkMs } from '#shared/access/sign-in';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { signInCookie } from '#shared/http/session-cookie';
import { openTable, type Table } from '#shared/table/table-client';
import { randomBase32 } from '#shared/tokens/base32';
import {
  type ApiKeyId,
  type OrganizationId,
  operatorsId,
  organizationIdSchema,
  personalKeyIdOf,
} from '#shared/tokens/resource-id';
import { type SignedIn, signInWith } from './console-link.ts';
import { localOperator } from './environment.ts';

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

type Place = { readonly baseUrl: string; readonly organizationId: string };

/**
 * Signs a browser in as the person with this role, as if they had opened a mailed link in it.
 *
 * @returns `undefined` if they were removed
 */
export const signInAs = (
  role: Role,
  { baseUrl, organizationId }: Place,
): Promise<SignedIn | undefined> =>
  signInTo(
    personalKeyIdOf(organizationIdSchema.parse(organizationId), addressOfRole(role)),
    baseUrl,
  );

export async function signInAsOperator({
  baseUrl,
}: Pick<Place, 'baseUrl'>): Promise<SignedIn | undefined> {
  const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
  await personalKeysFor(localOperator, { table, now: Date.now });
  return signInTo(personalKeyIdOf(operatorsId, localOperator), baseUrl);
}

async function signInTo(id: ApiKeyId, baseUrl: string): Promise<SignedIn | undefined> {
  const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
  const now = Date.now();
  const found = await getApiKey(table, id);
  const email = found?.apiKey.person?.email;
  if (found === undefined || email === undefined) return undefined;
  if (!maySignIn(found.apiKey, now)) return undefined;
  const browser = randomBase32(32);
  const link = newMailedLink(email, browser, now);
  const { text, secretHash } = mailedLinkText(link.id, randomBase32(32));
  await storeMailedLink(table, { ...link, made: { keyId: id, secretHash } });
  const cookie = signInCookie(browser, now + linkMs, now);
  return signInWith(text, { baseUrl, page: '/console', cookie });
}
