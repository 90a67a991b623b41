import { ServiceError } from '#shared/errors/service-error';

export const policyNotFound = (): ServiceError =>
  new ServiceError('policy_not_found', 'The organization has no policy of its own with this key.');

export const policyInUse = (): ServiceError =>
  new ServiceError(
    'policy_in_use',
    'The policy is the default of the organization. Set another defaultPolicyKey first.',
  );
