import type { Preferences } from '#shared/preferences/preferences';
import { type Html, html } from './html.ts';
import { layOutPage } from './page-layout.ts';
import {
  checkMark,
  essentialEmailsNote,
  layOutForm,
  maskAddress,
  type PageForm,
} from './page-parts.ts';
import { preferencesFields as fields } from './preferences-form.ts';

export type PreferencesPage = {
  readonly organizationName: string;
  /** Their address is shown masked. */
  readonly preferences: Preferences;
  /** If so, no box is ticked, whatever the subscriptions say. */
  readonly unsubscribedFromAll: boolean;
  readonly saved: boolean;
  readonly form: PageForm;
};

/** `preferencesFormSchema` reads what its form sends. */
export function preferencesPage(page: PreferencesPage): string {
  const { organizationName, saved } = page;
  const title = saved ? `${savedSentence} – Email preferences` : 'Email preferences';
  const content = html`<h1>Email preferences</h1>
${noticeOf(page)}
${introduction(page)}
${layOutForm(page.form, html`${categoryChoices(page)}${unsubscribeOrReturn(page)}`)}
${essentialEmailsNote}`;
  return layOutPage({ title, organizationName, content });
}

const savedSentence = 'Your choices are saved';

function noticeOf(page: PreferencesPage): Html | undefined {
  const saved = page.saved
    ? html`<p role="status" class="notice good">${checkMark}<b>${savedSentence}.</b></p>`
    : undefined;
  if (!page.unsubscribedFromAll) return saved;

  const wayBack = hasCategories(page)
    ? 'To get emails again, tick what you’d like and save.'
    : 'To get emails again, use the button below.';
  return html`${saved}
<p class="notice"><b>You are unsubscribed from everything.</b> ${wayBack}</p>`;
}

function introduction(page: PreferencesPage): Html {
  const organization = html`<b><bdi>${page.organizationName}</bdi></b>`;
  const address = html`<b><bdi>${maskAddress(page.preferences.contact.email)}</bdi></b>`;
  if (hasCategories(page)) return html`<p>Choose what ${organization} sends to ${address}.</p>`;
  return page.unsubscribedFromAll
    ? html`<p>${organization} sends no newsletters or offers to ${address}.</p>`
    : html`<p>${organization} sends newsletters and offers to ${address}.</p>`;
}

function categoryChoices(page: PreferencesPage): Html | undefined {
  if (!hasCategories(page)) return undefined;

  const { categories, subscriptions } = page.preferences;
  const subscribed = subscriptions.filter((subscription) => subscription.subscribed);
  const ticked = new Set(subscribed.map(({ categoryKey }) => categoryKey));
  const choices = categories.map(({ key, name }) =>
    categoryChoice(key, name, !page.unsubscribedFromAll && ticked.has(key)),
  );
  return html`<fieldset>
<legend>Send me</legend>
${choices}
</fieldset>
<button>Save</button>
${page.unsubscribedFromAll ? undefined : html`<hr>`}`;
}

const categoryChoice = (key: string, name: string, ticked: boolean) => html`<label>
<input type="hidden" name="${fields.shown}" value="${key}">
<input type="checkbox" name="${fields.category}" value="${key}"${ticked ? html` checked` : undefined}>
<bdi>${name}</bdi>
</label>
`;

/** Goes below the save button: Enter presses a form's first button, and that must do no harm. */
function unsubscribeOrReturn(page: PreferencesPage): Html | undefined {
  if (!page.unsubscribedFromAll) {
    return html`<button class="plain" name="${fields.unsubscribeAll}" value="true">Unsubscribe from everything</button>`;
  }
  return hasCategories(page)
    ? undefined
    : html`<button name="${fields.resubscribe}" value="true">Get emails again</button>`;
}

const hasCategories = ({ preferences }: PreferencesPage) => preferences.categories.length > 0;
