import { type Access, type Endpoint, scopesOf } from '#shared/endpoints/endpoint';
import { type ErrorCode, proofCodes } from '#shared/errors/errors';
import { describeSchema } from './describe-schema.ts';
import type { Schema } from './openapi-types.ts';

/** Those that follow from the endpoint's declaration, and those it lists. */
export function errorCodesOf(endpoint: Endpoint): readonly ErrorCode[] {
  const { accepts = ['application/json'], access, body, unmatchedPath, errors = [] } = endpoint;
  const takes = (...types: readonly string[]) =>
    body !== undefined && accepts.every((type) => types.includes(type));
  const takesOnlyJson = takes('application/json');
  const takesOnlyData = takesOnlyJson || takes('text/csv', 'application/octet-stream');
  const followed: readonly ErrorCode[] = [
    ...(takesOnlyJson ? (['malformed_json'] as const) : []),
    ...(takesOnlyData ? (['unsupported_content_type'] as const) : []),
    ...(takesOnlyData || canRefuseParameters(endpoint) ? (['validation_failed'] as const) : []),
    ...codesOfAccess(endpoint),
    ...(takesOnlyJson && isForStrangers(access) ? (['too_large'] as const) : []),
    ...(unmatchedPath ? [unmatchedPath] : []),
    ...(endpoint.isLimited ? (['change_limit_reached'] as const) : []),
    'contact_digest_mismatch',
    'stored_item_unreadable',
    'internal_error',
  ];
  return [...new Set([...followed, ...errors])];
}

function codesOfAccess({
  access,
  route,
}: Pick<Endpoint, 'access' | 'route'>): readonly ErrorCode[] {
  switch (access) {
    case 'anybody':
      return [];
    case 'session':
      return ['invalid_api_key'];
    case 'cron_secret':
      return ['invalid_cron_secret'];
    case 'operator':
      return [
        'invalid_operator_secret',
        'invalid_api_key',
        'missing_scope',
        ...([route].flat().every((one) => one.startsWith('GET '))
          ? []
          : (['recent_sign_in_required'] as const)),
      ];
    default:
      return [
        'invalid_api_key',
        ...(scopesOf(access).length === 0 ? [] : (['missing_scope'] as const)),
        ...(access.takesTestKeys ? [] : (['test_key'] as const)),
        ...(access.freshSession ? proofCodes : []),
      ];
  }
}

const isForStrangers = (access: Access): boolean =>
  access === 'anybody' || (typeof access === 'object' && access.key === 'optional');

/** A parameter that takes any text is never at fault, and an invalid path leads nowhere. */
const canRefuseParameters = ({ query, headers }: Endpoint): boolean =>
  [query, headers].some(
    (schema) =>
      schema !== undefined &&
      Object.values(describeSchema(schema, 'input', {}).properties ?? {}).some(isRestricted),
  );

const isRestricted = ({ type, description: _, ...restrictions }: Schema): boolean =>
  type !== 'string' || Object.keys(restrictions).length > 0;
