import type { TableAndClock } from '#shared/table/table-client';
import type { ApiKeyId } from '#shared/tokens/resource-id';
import { type ApiKey, maySignIn } from './api-key.ts';
import { changeSignIns } from './change-sign-ins.ts';
import { type MailedLink, newLink, withSignIn } from './sign-in.ts';

/**
 * Stores a link for a person, by the hash of its secret.
 *
 * @returns whose link it is; `undefined` if they may not sign in
 */
export const addMailedLink = (
  id: ApiKeyId,
  link: MailedLink,
  signingIn: TableAndClock,
): Promise<ApiKey | undefined> =>
  changeSignIns(
    id,
    (apiKey, now) => {
      if (apiKey?.person === undefined || !maySignIn(apiKey, now)) return { result: undefined };
      const { signIn } = newLink(apiKey, now, link);
      const after = withSignIn(apiKey.signIns, signIn, now);
      return {
        change: { after, actor: 'anybody', action: 'sign_in_link.created' },
        result: apiKey,
      };
    },
    signingIn,
  );
