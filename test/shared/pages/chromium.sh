#!/bin/sh
# Starts $CHROMIUM_PATH without the suggestions of its address bar. They are two pages that it loads for every tab, even
# headless, and take more CPU than most of ours. It heeds only its last list of features, so they join Playwright's.
for argument; do
  shift
  case $argument in
    --disable-features=*) argument=$argument,WebUIOmniboxPopup,WebUIOmniboxAimPopup ;;
  esac
  set -- "$@" "$argument"
done
exec "$CHROMIUM_PATH" "$@"
