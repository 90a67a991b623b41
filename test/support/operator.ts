import { replaceSignIns } from '#shared/access/api-key-store';
import { personalKeysFor } from '#shared/access/operator-store';
import { operatorRole } from '#shared/access/operators';
import { newSession, withSignIn } from '#shared/access/sign-in';
import type { Table } from '#shared/table/table-client';
import { localOperator } from '../../infra/local/environment.ts';

export { localOperator };

/**
 * A session of an operator whom the setting names, as if they had followed a mailed link.
 *
 * @param at when they did.
 */
export async function operatorSession(
  table: Table,
  { email = localOperator, at = Date.now() } = {},
): Promise<string> {
  const found = await personalKeysFor(email, { table, now: () => at });
  const apiKey = found.find(({ person }) => person?.role === operatorRole);
  if (!apiKey) throw new Error(`${email} is no operator`);
  const { text, signIn } = newSession(apiKey, { by: 'mail' }, at);
  await replaceSignIns(table, apiKey, withSignIn(apiKey.signIns, signIn, at));
  return text;
}

/** Of an operator's browser. */
export const operatorHeaders = async (
  table: Table,
  baseUrl: string,
  options: { readonly email?: string; readonly at?: number } = {},
) => ({ cookie: `session=${await operatorSession(table, options)}`, origin: baseUrl });
