import { createHash } from 'node:crypto';
import type { SMTPServerOptions } from 'smtp-server';
import type { Crowd } from './crowd.ts';
import type { Log } from './log.ts';
import { SmtpRefusal } from './refusal.ts';
import type { Service } from './service.ts';

type TakesKey = Service['takesKey'];

/** Takes API keys as passwords, each on so many connections at once. */
export function keyJudge(
  service: Service,
  withKey: Crowd,
  log: Log,
): NonNullable<SMTPServerOptions['onAuth']> {
  const takesKey = rememberingKeys(service.takesKey);
  return ({ username, password }, { id }, callback) => {
    void judgeKey(username, password, takesKey).then((judged) => {
      const isCrowded = judged === undefined && !withKey.enter(id, password ?? '');
      const refusal = isCrowded
        ? new SmtpRefusal(421, 'Too many connections with this key, try again')
        : judged;
      if (refusal === undefined) return callback(null, { user: password });
      log('auth refused', { reply: refusal.responseCode });
      return callback(refusal);
    });
  };
}

/** @returns why the credentials are refused. */
async function judgeKey(
  username: string | undefined,
  password: string | null | undefined,
  takesKey: TakesKey,
): Promise<SmtpRefusal | undefined> {
  const isForm = username?.toLowerCase() === 'apikey' && /^[!-~]{1,200}$/.test(password ?? '');
  const isTaken = isForm && (await takesKey(password ?? ''));
  if (isTaken === undefined) return new SmtpRefusal(454, 'The service did not answer, try again');
  if (isTaken) return undefined;
  return new SmtpRefusal(535, 'invalid_api_key: The user is apikey, the password an API key');
}

const rememberMs = 60_000;

/** Some clients log in for each message. A key that ends in between is refused at its next send. */
function rememberingKeys(takesKey: TakesKey): TakesKey {
  const known = new Map<string, number>();
  return async (key) => {
    const digest = createHash('sha256').update(key).digest('base64');
    const now = performance.now();
    for (const [old, until] of known) if (until < now) known.delete(old);
    if (known.has(digest)) return true;
    const isTaken = await takesKey(key);
    if (isTaken) known.set(digest, performance.now() + rememberMs);
    return isTaken;
  };
}
