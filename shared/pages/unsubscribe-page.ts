import { html } from './html.ts';
import { layOutPage } from './page-layout.ts';
import {
  checkMark,
  essentialEmailsNote,
  layOutForm,
  maskAddress,
  type PageForm,
} from './page-parts.ts';

type Recipient = {
  readonly organizationName: string;
  readonly email?: string | undefined;
  /**
   * The page to choose categories instead. Absent for an erased person, who has no preferences, and for a link that can
   * only unsubscribe.
   */
  readonly preferencesUrl?: string | undefined;
};

export type CategoryToLeave = {
  readonly name: string;
  /** The way to leave everything else too. Absent for a person who already has. */
  readonly everything?: PageForm;
};

type UnsubscribePage = Recipient & {
  /** Absent if the link ends all bulk email. */
  readonly category?: CategoryToLeave | undefined;
} & ({ readonly state: 'confirm'; readonly form: PageForm } | { readonly state: 'done' });

/** `confirm` asks and changes nothing, because link scanners and previews open every link of an email. */
export const unsubscribePage = (page: UnsubscribePage): string =>
  page.state === 'confirm' ? confirmPage(page, page.form) : donePage(page);

type Leaving = Pick<UnsubscribePage, keyof Recipient | 'category'>;

function confirmPage(page: Leaving, form: PageForm) {
  const { organizationName, category } = page;
  const what = category === undefined ? 'newsletters and offers' : nameOf(category);
  const content = html`<h1>Unsubscribe${category && html` from ${nameOf(category)}`}?</h1>
<p>${senderOf(page)} will stop sending ${what} to ${holderOf(page)}.</p>
${layOutForm(form, html`<button>Unsubscribe</button>`)}
${whatIsLeft(page, 'will still get')}
${wayToChoose(page, 'Choose which emails to get instead')}
${essentialEmailsNote}`;
  return layOutPage({ title: 'Unsubscribe', organizationName, content });
}

function donePage(page: Leaving) {
  const { organizationName, category } = page;
  const title = 'You are unsubscribed';
  const what = category === undefined ? 'newsletters or offers' : nameOf(category);
  const content = html`${checkMark}
<h1>${title}${category && html` from ${nameOf(category)}`}</h1>
<p>${senderOf(page)} won’t send any more ${what} to ${holderOf(page)}.</p>
${whatIsLeft(page, 'still get')}
${wayToChoose(page, 'Changed your mind? Choose which emails to get')}
${essentialEmailsNote}`;
  return layOutPage({ title, organizationName, content });
}

const nameOf = ({ name }: CategoryToLeave) => html`“<bdi>${name}</bdi>”`;
const senderOf = ({ organizationName }: Recipient) => html`<b><bdi>${organizationName}</bdi></b>`;
const holderOf = ({ email }: Recipient) => html`<b><bdi>${addressOf(email)}</bdi></b>`;

/** A person who leaves one category sees that the others go on, and can end them there. */
function whatIsLeft(page: Leaving, get: 'still get' | 'will still get') {
  const everything = page.category?.everything;
  if (everything === undefined) return undefined;
  return html`<p>You ${get} its other newsletters and offers.</p>
${layOutForm(everything, html`<button class="plain">Unsubscribe from everything</button>`)}`;
}

const addressOf = (email: string | undefined): string =>
  email === undefined ? 'you' : maskAddress(email);

/** Without a link, the page says where to find it. */
function wayToChoose({ organizationName, email, preferencesUrl }: Recipient, text: string) {
  if (preferencesUrl !== undefined) {
    return html`<a class="onward" href="${preferencesUrl}">${text}</a>`;
  }
  if (email === undefined) return undefined;
  return html`<p>To choose which emails to get, use the “Email preferences” link at the end of a newsletter, or ask <bdi>${organizationName}</bdi>.</p>`;
}
