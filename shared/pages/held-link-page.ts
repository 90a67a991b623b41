import { html } from './html.ts';
import { layOutPage } from './page-layout.ts';

export type HeldLinkPage = {
  readonly organizationName: string;
  /** An absolute http(s) URL as `URL` writes it: in ASCII, a host of other letters as `xn--…`. */
  readonly destination: string;
};

/**
 * Asks a person who followed a link of an organization that is paused. The host stands by itself, since the
 * beginning of a URL can be made to look like another host. Only the person's own click leads on.
 */
export function heldLinkPage({ organizationName, destination }: HeldLinkPage): string {
  const { host } = new URL(destination);
  const content = html`<h1>Do you want to go on?</h1>
<p>The sender of this email, <b><bdi>${organizationName}</bdi></b>, is paused at the moment. Until that is over, its links don’t lead on by themselves.</p>
<p>This one leads to <b><bdi>${host}</bdi></b>. The whole address is:</p>
<p class="notice">${destination}</p>
<p>Go on only if you know this address and expected the email.</p>
<a class="onward" href="${destination}" rel="noreferrer nofollow">Go on to <bdi>${host}</bdi></a>`;
  return layOutPage({ title: 'Do you want to go on?', content });
}
