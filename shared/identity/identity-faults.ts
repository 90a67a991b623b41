import { ServiceError } from '#shared/errors/service-error';

export const changedMeanwhile = (): ServiceError =>
  new ServiceError(
    'concurrent_change',
    'Another request changed the identity, or its domain is being removed. Read the identity again, then repeat your change.',
    { retryAfterSeconds: 5 },
  );
