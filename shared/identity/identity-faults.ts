import { ServiceError } from '#shared/errors/service-error';

export const identityNotFound = (): ServiceError =>
  new ServiceError(
    'identity_not_found',
    'The organization has no From identity. Set one with PUT /api/v1/organization/identity.',
  );

export const changedMeanwhile = (): ServiceError =>
  new ServiceError(
    'concurrent_change',
    'The identity was changed by another request, or is being removed. Read it again, then repeat your change.',
    { retryAfterSeconds: 5 },
  );
