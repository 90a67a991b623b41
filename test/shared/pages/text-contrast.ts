import type { Page } from 'playwright-core';
import * as z from 'zod';

const contrastsSchema = z.array(z.object({ text: z.string(), ratio: z.number() }));

// Runs in the page; a string, as the project's types know no DOM.
// The formulas are WCAG 2.2's: relative luminance and contrast ratio.
const measure = `(() => {
  const channels = (color) => color.match(/[\\d.]+/g).map(Number);
  const isOpaque = (color) => (channels(color)[3] ?? 1) === 1;
  const linear = (channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  const luminance = (color) => {
    const [red, green, blue] = channels(color).map(linear);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const background = (element) => {
    const color = getComputedStyle(element).backgroundColor;
    return isOpaque(color) ? color : background(element.parentElement);
  };
  const ratio = (element) => {
    const colors = [getComputedStyle(element).color, background(element)];
    const [light, dark] = colors.map(luminance).sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const measured = [];
  while (texts.nextNode()) {
    const text = texts.currentNode.data.trim();
    if (text !== '') measured.push({ text, ratio: ratio(texts.currentNode.parentElement) });
  }
  return measured;
})()`;

/** The contrast ratio of every text of the page to what is behind it. */
export const textContrasts = async (page: Page) =>
  contrastsSchema.parse(await page.evaluate(measure));
