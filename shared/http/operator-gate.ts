import * as z from 'zod/mini';
import { secretReader } from '#shared/config/secret';
import { requireOperatorSecret } from './shared-secret.ts';

/** Admits the operator by the header `X-Operator-Secret`; throws `invalid_operator_secret` at anybody else. */
export type OperatorGate = (presented: string | undefined) => Promise<void>;

/** @param secretId of the operator secret in Secrets Manager. */
export function openOperatorGate(secretId: string): OperatorGate {
  const readSecret = secretReader(secretId, z.string());
  return async (presented) => requireOperatorSecret(presented, await readSecret());
}
