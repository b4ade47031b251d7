// The report's file. The program that writes a report replaces the three words in double braces: {{title}},
// {{summary}} (what it says without scripts) and {{result}} (the JSON that is drawn). The policy keeps the file
// from asking any network for anything.
export const template = (style, script) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<title>{{title}}</title>
<style>${style}</style>
</head>
<body>
<main id="report">{{summary}}</main>
<script type="application/json" id="result">{{result}}</script>
<script type="module">${script}</script>
</body>
</html>
`;
