import { ServiceError } from '#shared/errors/service-error';
import { maxPolicies } from './organization.ts';

export const policyNotFound = (): ServiceError =>
  new ServiceError('policy_not_found', 'The organization has no policy of its own with this key.');

export const tooManyPolicies = (): ServiceError =>
  new ServiceError(
    'too_many_policies',
    `An organization has at most ${maxPolicies} policies of its own. Delete one that is not needed.`,
  );

export const policyInUse = (): ServiceError =>
  new ServiceError(
    'policy_in_use',
    'The policy is the default of the organization. Set another defaultPolicyKey first.',
  );
