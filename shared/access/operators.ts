import { operatorsEnvironment, parseEnvironment } from '#shared/config/environment';
import { ServiceError } from '#shared/errors/service-error';
import { type ApiKeyId, operatorsId, organizationIdOf } from '#shared/tokens/resource-id';

/**
 * Of the people of the organization `operatorsId`. Not one of `roles`: nobody is invited with it, and it has no scopes,
 * so its sessions read and change nothing of an organization (`scopesOfRole`).
 */
export const operatorRole = 'operator';

/** @param identity `EmailAddress.identity` */
export const isOperatorAddress = (identity: string): boolean =>
  parseEnvironment(operatorsEnvironment).OPERATORS.includes(identity);

type Personal = {
  readonly id: ApiKeyId;
  readonly person?: { readonly email: string; readonly entered?: object | undefined } | undefined;
};

export const isOfOperators = ({ id }: Pick<Personal, 'id'>): boolean =>
  organizationIdOf(id) === operatorsId;

/** `false` of an operator whom the deployment's setting doesn't name anymore, in every organization that they entered. */
export const isStillOperator = (apiKey: Personal): boolean =>
  (!isOfOperators(apiKey) && apiKey.person?.entered === undefined) ||
  (apiKey.person !== undefined && isOperatorAddress(apiKey.person.email));

/** Who may use their sessions was checked before: `maySignIn`. */
export function requireOperator(apiKey: Personal): void {
  if (isOfOperators(apiKey)) return;
  throw new ServiceError(
    'missing_scope',
    'Only operators of this deployment may do this. Sign in with an address that its setting `operators` names.',
  );
}
