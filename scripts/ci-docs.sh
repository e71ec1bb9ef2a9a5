#!/bin/sh
# Builds the site of the documents, whose links are checked, and looks at three of its pages in Chromium.
set -eu
cd "$(dirname "$0")/.."
npm run -s docs
look() { # page, text that has to be seen
  chromium --headless --no-sandbox --disable-gpu --virtual-time-budget=5000 --dump-dom "file://$PWD/site/$1" 2>/dev/null | grep -q "$2" || {
    echo "site/$1 does not show: $2"
    exit 1
  }
}
look index.html 'Certify your server'
look documents/SSH_credentials.html 'SSH-KEY-01'
look contract/index.html 'SSH'
echo "the site is in site/"
