import { html } from './html.ts';
import { layOutPage } from './page-layout.ts';

type HeldLinkPage = {
  readonly organizationName: string;
  /** An absolute http(s) URL as `URL` writes it: ASCII, with other letters in the host as `xn--…`. */
  readonly destination: string;
};

/**
 * For a link of a paused organization. The host is shown separately: the beginning of a URL can look like a different
 * host.
 */
export function heldLinkPage({ organizationName, destination }: HeldLinkPage): string {
  const { host } = new URL(destination);
  const content = html`<h1>Do you want to continue?</h1>
<p>The sender of this email, <b><bdi>${organizationName}</bdi></b>, is currently paused, so its links don’t open by themselves.</p>
<p>This link leads to <b><bdi>${host}</bdi></b>. The full address is:</p>
<p class="notice">${destination}</p>
<p>Continue only if you know this address and expected the email.</p>
<a class="onward" href="${destination}" rel="noreferrer nofollow">Continue to <bdi>${host}</bdi></a>`;
  return layOutPage({ title: 'Do you want to continue?', content });
}
