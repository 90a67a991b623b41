import {
  isTransactionalUnsubscribeOn,
  type Organization,
  type Policy,
  type Untracked,
} from '#shared/organizations/organization';
import { html } from '#shared/pages/html';
import type { RewriteOptions } from '#shared/tracking/rewrite-html';
import { footerHtml, footerText, hasFooter, hasOneRecipient } from './email-footer.ts';
import type { EmailLinks } from './email-links.ts';
import type { EmailHeader, OutgoingEmail } from './email-provider.ts';

/** Has a text, or HTML from which the text is made. */
type EmailWords = {
  readonly subject: string;
  readonly content: string | undefined;
  readonly htmlContent: string | undefined;
  /** Besides those of this module. */
  readonly headers?: readonly EmailHeader[];
  readonly tracking?: Tracking | undefined;
};

type Tracking = { readonly opens?: boolean | undefined; readonly clicks?: boolean | undefined };

export type ComposedEmail = {
  readonly text: string;
  readonly html: string | undefined;
  readonly headers: readonly EmailHeader[];
};

/**
 * An email to one recipient has both List-Unsubscribe headers (RFC 8058 §3.1), unless it is transactional and its
 * organization has turned them off. Bulk email has a footer. The HTML part has tracked links (which:
 * `tracking/rewrite-html.ts`) and an open pixel.
 *
 * The links to unsubscribe and to the preferences let their holder act for the `to` address, so an email with a second
 * recipient has neither; bulk email has only one recipient.
 */
export async function composeEmail(
  words: EmailWords,
  recipients: Pick<OutgoingEmail, 'to' | 'cc' | 'bcc'>,
  organization: Organization,
  policy: Policy,
  links: EmailLinks,
): Promise<ComposedEmail> {
  const isFooted = hasFooter(recipients, policy);
  const { htmlContent, headers = [] } = words;
  const isOffered = offersOneClick(policy, organization);
  const tracks = trackingOf(words, policy, organization);
  const content = await textOf(words);
  return {
    text: isFooted ? content + footerText(organization, links) : content,
    html:
      htmlContent &&
      (await rewrite(htmlContent, {
        trackedUrl: tracks.clicks ? links.click : () => undefined,
        beforeBodyEnd:
          (isFooted ? footerHtml(organization, links) : '') +
          (tracks.opens ? openPixelHtml(links) : ''),
      })),
    headers: [
      // Policy and setting may have changed since the email was accepted.
      ...headers.filter(({ name }) => !(isOffered && isUnsubscribeHeader(name))),
      ...(hasOneRecipient(recipients) && isOffered ? oneClickHeaders(links) : []),
    ],
  };
}

/** Mail clients that load images fetch it on opening. */
const openPixelHtml = ({ openPixel }: Pick<EmailLinks, 'openPixel'>): string =>
  html`<img src="${openPixel}" alt="" width="1" height="1" style="display:block;width:1px;height:1px;border:0">`
    .text;

/** The email's setting wins, then its policy's, then its organization's. By default, tracking is on. */
export function trackingOf(
  ...inOrder: readonly (Pick<EmailWords, 'tracking'> | undefined)[]
): Required<Tracking> {
  const said = inOrder.map((one) => one?.tracking);
  return {
    opens: said.find((one) => one?.opens !== undefined)?.opens ?? true,
    clicks: said.find((one) => one?.clicks !== undefined)?.clicks ?? true,
  };
}

/** Leaves out what the email itself sets. An email without HTML has nothing to track. */
export function untrackedBy(
  words: Pick<EmailWords, 'tracking' | 'htmlContent'>,
  policy: Pick<Policy, 'tracking'>,
  organization: Pick<Organization, 'tracking'>,
): Untracked | undefined {
  if (words.htmlContent === undefined) return undefined;
  const by = (what: keyof Tracking): Untracked[keyof Untracked] => {
    if (words.tracking?.[what] !== undefined) return undefined;
    if (policy.tracking?.[what] !== undefined) return policy.tracking[what] ? undefined : 'policy';
    return organization.tracking?.[what] === false ? 'organization' : undefined;
  };
  const [opens, clicks] = [by('opens'), by('clicks')];
  if (opens === undefined && clicks === undefined) return undefined;
  return { ...(opens && { opens }), ...(clicks && { clicks }) };
}

/** Only emails that the service gives none may bring their own. */
const unsubscribeHeaders: ReadonlySet<string> = new Set([
  'list-unsubscribe',
  'list-unsubscribe-post',
]);
export const isUnsubscribeHeader = (name: string): boolean =>
  unsubscribeHeaders.has(name.toLowerCase());

/** Always for bulk email: recipients must be able to leave it. */
export const offersOneClick = ({ kind }: Policy, organization: Organization): boolean =>
  kind === 'bulk' || isTransactionalUnsubscribeOn(organization);

const oneClickHeaders = ({ oneClick }: EmailLinks): readonly EmailHeader[] => [
  { name: 'List-Unsubscribe', value: `<${oneClick}>` },
  { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
];

/** An email needs a text, and HTML made of pictures may have none. */
export async function textOf({
  subject,
  content,
  htmlContent = '',
}: Pick<EmailWords, 'subject' | 'content' | 'htmlContent'>): Promise<string> {
  if (content !== undefined) return content;
  const { textOfHtml } = await import('#shared/templates/rendering/text-of-html');
  return textOfHtml(htmlContent) || subject;
}

/** Loaded with the first HTML: the tokenizer's table of entities adds 5 ms to a cold start. */
async function rewrite(html: string, options: RewriteOptions): Promise<string> {
  const { rewriteHtml } = await import('#shared/tracking/rewrite-html');
  return rewriteHtml(html, options);
}
