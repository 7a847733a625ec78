"""Writes the licensed third-party training data of the tagger: third_party.py FOLDER OUT.

FOLDER has presidio_research_*.jsonl (MIT), multidogo_*.jsonl (CDLA-Permissive-1.0) and star_*.jsonl (MIT).
"""
import json, pathlib, re, sys
D = sys.argv[1] + '/'
names=set(re.findall(r'^    "(.*)",',open(pathlib.Path(__file__).resolve().parents[3] / 'crates/redaction/src/tables/given_names.rs').read(),re.M))
out = open(sys.argv[2], 'w'); n=0
def put(r,covered):
    global n
    out.write(json.dumps({"text":r["text"],"spans":[s for s in r["spans"]],"context":r.get("context",[]),"covered":covered,"style":"third"},ensure_ascii=False)+"\n"); n+=1
for f in ('presidio_research_v2','presidio_research_large'):
    for l in open(D+f+'.jsonl'):
        r=json.loads(l)
        if any(s['label']=='STREET_ADDRESS' for s in r['spans']): continue
        put(r,['PERSON_NAME','STREET_ADDRESS'])
for f,c in (('finance',['PERSON_NAME','STREET_ADDRESS']),('insurance',['PERSON_NAME']),('airline',['PERSON_NAME']),('software',['PERSON_NAME']),('fastfood',['STREET_ADDRESS'])):
    for l in open(D+f'multidogo_{f}.jsonl'):
        r=json.loads(l); labels={x['label'] for x in r['spans']}
        cc=[e for e in c if not (e=='STREET_ADDRESS' and e in labels)]
        if 'PERSON_NAME' in labels and 'cue:PERSON_NAME' not in r.get('tags',[]): cc=[e for e in cc if e!='PERSON_NAME']
        r['spans']=[s for s in r['spans'] if s['label']!='STREET_ADDRESS']
        if cc: put(r,cc)
for f in ('star_other','star_bank'):
    for l in open(D+f+'.jsonl'):
        r=json.loads(l)
        ws=[w.lower() for w in re.findall(r"[A-Za-z]+",r['text'])]
        c=['STREET_ADDRESS'] if f=='star_other' else []
        if not any(w in names for w in ws) and not re.search(r"(?i)\bname|\bI'?m\b|this is",r['text']): c.append('PERSON_NAME')
        r['spans']=[]
        if c: put(r,c)
print(n)
