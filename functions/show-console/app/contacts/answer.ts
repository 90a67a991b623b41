import type { Answer } from '../../../api.ts';

type Explained = Answer<'GET /api/v1/recipients/{email}'>;
type Told = Pick<Explained['emails'][number], 'subject' | 'createdAt' | 'verdict'>;

/** For whoever asked, as plain text: what became of email to the address, what to do, and the latest email. */
export function answerOf({
  email,
  verdict,
  emails: [latest],
}: Pick<Explained, 'email' | 'verdict'> & { readonly emails: readonly Told[] }): string {
  const lines = [`${email}: ${verdict.sentence}.`, ...(verdict.next ? [verdict.next] : [])];
  if (latest !== undefined) {
    const at = new Date(latest.createdAt).toISOString().replace('T', ' ').slice(0, 16);
    lines.push(`Latest email: “${latest.subject}”, ${at} UTC. ${latest.verdict.sentence}.`);
  }
  return lines.join('\n');
}
