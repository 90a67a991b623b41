import type { RequestTo } from '#shared/endpoints/endpoint';
import {
  changeOrganization,
  type OrganizationChanging,
} from '#shared/organizations/change-organization';
import type { Organization } from '#shared/organizations/organization';
import type { GivenLimits } from '#shared/organizations/organization-limits';
import type { endpoint } from './endpoint.ts';

type Request = Pick<RequestTo<typeof endpoint>, 'path' | 'body'>;

/**
 * Changes the given fields of an organization. A pause and limits count from the next send on, `linksDisabled` from the
 * next click.
 */
export const updateOrganization = (
  { path: { id }, body: { limits: wanted, ...changes } }: Request,
  management: OrganizationChanging,
): Promise<Organization> =>
  changeOrganization(
    id,
    'operator',
    ({ limits: present, ...organization }) => {
      const limits = withLimits(present, wanted);
      return { ...organization, ...changes, ...(limits && { limits }) };
    },
    management,
  );

/** `undefined` where none is the organization's own. */
function withLimits(
  present: GivenLimits | undefined,
  wanted: Request['body']['limits'],
): GivenLimits | undefined {
  const limits: Record<string, number> = {};
  for (const [name, limit] of Object.entries({ ...present, ...wanted })) {
    if (typeof limit === 'number') limits[name] = limit;
  }
  return Object.keys(limits).length === 0 ? undefined : limits;
}
