import * as z from 'zod/mini';
import { type Role, roles } from '#shared/access/roles';
import { listedOrganizationId, type OrganizationId } from '#shared/tokens/resource-id';

/** Who has this claim with this value has this role in this organization. */
export const roleRuleSchema = z.object({
  /** Its name, or a path of names with dots between them: `realm_access.roles`. */
  claim: z.string().check(z.minLength(1), z.maxLength(200)),
  /** Exact, or with `*` for any characters. A claim with several values needs one of them. */
  value: z.string().check(z.minLength(1), z.maxLength(200)),
  organizationId: listedOrganizationId,
  role: z.enum(roles),
});
export type RoleRule = Readonly<z.infer<typeof roleRuleSchema>>;

/** What an issuer says about somebody who signed in. */
export const claimsSchema = z.looseObject({
  sub: z.string().check(z.minLength(1), z.maxLength(255)),
  email: z.optional(z.string()),
  email_verified: z.optional(z.union([z.boolean(), z.string()])),
  /** Of its session with the person. */
  sid: z.optional(z.string()),
  /** When it last saw them prove who they are, in seconds since 1970. */
  auth_time: z.optional(z.number()),
});
export type Claims = Readonly<z.infer<typeof claimsSchema>>;

/** Some issuers send it as text. */
export const isEmailVerified = ({ email_verified: verified }: Claims): boolean =>
  verified === true || verified === 'true';

/** An issuer that says nothing isn't one that denies it. */
export const isEmailDenied = (claims: Claims): boolean =>
  claims.email_verified !== undefined && !isEmailVerified(claims);

/** The highest role in each organization that the claims name. An address that may be anybody's names none. */
export function rolesIn(
  claims: Claims,
  rules: readonly RoleRule[],
): ReadonlyMap<OrganizationId, Role> {
  const named = new Map<OrganizationId, Role>();
  for (const { claim, value, organizationId, role } of rules) {
    if (claim === 'email' && !isEmailVerified(claims)) continue;
    if (!valuesAt(claims, claim).some((one) => fits(one, value))) continue;
    const before = named.get(organizationId);
    if (before === undefined || roles.indexOf(role) > roles.indexOf(before)) {
      named.set(organizationId, role);
    }
  }
  return named;
}

/** Whether the claims lack one that a rule looks at, which the issuer may still give elsewhere. */
export const lacksClaims = (claims: Claims, rules: readonly RoleRule[]): boolean =>
  claims.email === undefined || rules.some(({ claim }) => valuesAt(claims, claim).length === 0);

/** Some issuers name claims with URLs, so the whole name comes first. */
function valuesAt(claims: object, path: string): readonly string[] {
  const own = ownOf(claims, path);
  const found = own === undefined ? path.split('.').reduce<unknown>(ownOf, claims) : own;
  return [found].flat().flatMap((one) => (isPlain(one) ? [`${one}`] : []));
}

const ownOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;

const isPlain = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/** Without a regular expression, whose `*`s could take forever. */
function fits(text: string, pattern: string): boolean {
  const [start = '', ...rest] = pattern.split('*');
  const end = rest.pop();
  if (end === undefined) return text === pattern;
  if (!text.startsWith(start)) return false;
  let at = start.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - end.length >= at && text.endsWith(end);
}
