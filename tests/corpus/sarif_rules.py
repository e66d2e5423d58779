"""Holds SARIF reports to the rules of its readers, and prints what does not: a line each.

    sarif_rules.py FILE.sarif ...

The rules are those of which readers make errors or warnings, in words of our own. Their names are those of
Microsoft's validator, `Sarif.Multitool validate --rule-kind-option "Sarif;Gh;Ghas"` (docs/ValidationRules.md of
microsoft/sarif-sdk); DOCS are limits of GitHub's page "SARIF support for code scanning"; a number is a section of
the OASIS standard. Of its rules that are mere notes these are not held, on purpose:

    SARIF2002, SARIF2014, SARIF2015   messages by number and arguments: ours are sentences, which GH1007 wants
    SARIF2003, SARIF2013              revision and texts of the tests: a report would read the repository for it
    SARIF2005 informationUri, SARIF2006, SARIF2012 helpUri     the project has no address
    SARIF2009                         names of rules such as CL1001: ours are words
    SARIF2010, SARIF2011              lines of the tests, which are beside the report
"""
import json
import re
import sys
from urllib.parse import urlsplit

MOST_RESULTS, MOST_RULES, MOST_LOCATIONS, MOST_STEPS = 25000, 25000, 1000, 10000
URI = re.compile(r"([A-Za-z0-9._~!$&'()*+,;=:@/?#\[\]-]|%[0-9A-Fa-f]{2})*\Z")
SEMANTIC = re.compile(r"\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?\Z")
faults = []


def need(holds, rule, where, what):
    if not holds:
        faults.append("%s: %s: %s" % (rule, where, what))


def text_of(holder, name):
    value = holder.get(name)
    return value.get("text", "").strip() if isinstance(value, dict) else ""


def check_rule(rule, where):
    need(rule.get("id", "").strip(), "GH2012", where, "no id")
    need(rule.get("name") != rule.get("id"), "SARIF1001", where, "name and id are one word")
    need(re.match(r"([A-Z][a-z0-9]*)+\Z", rule.get("name", "")), "SARIF2012", where, "a name that is not Pascal's")
    for name in ("shortDescription", "fullDescription", "help"):
        need(text_of(rule, name), "GH2012", where, "no " + name)
        need(len(text_of(rule, name)) <= 1024, "DOCS", where, name + " has more than 1024 characters")
    need(rule.get("messageStrings") is None, "SARIF2001", where, "message strings, which nobody looked at")
    need(rule["defaultConfiguration"]["level"] in ("none", "note", "warning", "error"), "3.50.3", where, "level")


def check_driver(driver):
    need(driver.get("name", "").strip(), "GH1018", "driver", "no name")
    need(len(driver["name"].split()) <= 3, "SARIF2005", "driver", "a long name")
    need(re.match(r"\d", driver.get("version", "")), "SARIF2005", "driver", "a version without a number in front")
    need(SEMANTIC.match(driver.get("semanticVersion", "0.0.0")), "3.19.12", "driver", "semanticVersion")
    need(driver.get("rules"), "GH1018", "driver", "no rules")
    need(len(driver["rules"]) <= MOST_RULES, "GH1004", "rules", "too many")
    ids = [rule.get("id") for rule in driver["rules"]]
    need(len(set(ids)) == len(ids), "3.49.3", "rules", "two of one id")
    for number, rule in enumerate(driver["rules"]):
        check_rule(rule, "rules/%d" % number)


def check_region(region, where):
    need(region.get("startLine", 0) >= 1, "GH1003", where, "no startLine")
    need(region.get("startColumn", 1) >= 1, "3.30.6", where, "startColumn")
    last = region.get("endLine", region.get("startLine", 1))
    need(last >= region.get("startLine", 1), "SARIF1007", where, "it ends above where it begins")
    need(last > region.get("startLine", 1) or "endColumn" not in region or
         region["endColumn"] >= region.get("startColumn", 1), "SARIF1007", where, "it ends before it begins")


def check_artifact(artifact, run, where):
    uri = artifact.get("uri", "")
    parts = urlsplit(uri)
    need(uri, "GH1001", where, "no URI")
    need(URI.match(uri), "SARIF1002", where, "no URI: " + uri)
    need(parts.scheme in ("", "file"), "GH1005", where, "no file: " + uri)
    if parts.scheme:
        need(".." not in parts.path.split("/"), "SARIF1002", where, "a file URI with ..: " + uri)
        need("uriBaseId" not in artifact, "SARIF1004", where, "a base of an absolute URI")
        need(run["invocations"][0].get("workingDirectory"), "GH1006", where, "an absolute URI, and no folder of the run")
    else:
        need(not uri.startswith("/") and "\\" not in uri, "SARIF2016", where, uri)
        need(":" not in uri.split("/")[0], "SARIF1002", where, "a colon in the first segment: " + uri)
        need(artifact.get("uriBaseId") in run.get("originalUriBaseIds", {}), "SARIF1004", where, "a base that is not there")


def check_location(location, run, where):
    physical = location.get("physicalLocation")
    need(physical, "GH1001", where, "no physicalLocation")
    if not physical:
        return
    need("contextRegion" not in physical, "SARIF1008", where, "a context, which nobody looked at")
    need("artifactLocation" in physical, "GH1017", where, "no artifactLocation")
    need("region" in physical, "GH1003", where, "no region")
    check_artifact(physical.get("artifactLocation", {}), run, where)
    check_region(physical.get("region", {}), where)


def check_message(result, where):
    message = text_of(result, "message")
    need(message, "GH1007", where, "no message")
    need(message.endswith("."), "SARIF2001", where, "a message without a full stop: " + message[-40:])
    ids = [str(related.get("id")) for related in result.get("relatedLocations", [])]
    need(len(set(ids)) == len(ids), "3.28.2", where, "related locations of one id")
    for link in re.findall(r"(?<!\\)\]\((\d+)\)", message):
        need(link in ids, "3.11.6", where, "a link to %s, which is not there" % link)


def check_result(result, run, where):
    rules = run["tool"]["driver"]["rules"]
    index = result.get("ruleIndex", -1)
    need(result.get("ruleId"), "SARIF1010", where, "no ruleId")
    need(0 <= index < len(rules), "SARIF1009", where, "ruleIndex %d" % index)
    need(0 <= index < len(rules) and rules[index]["id"] == result["ruleId"], "3.27.7", where, "a rule of another name")
    need(result.get("kind", "fail") == "fail" or result.get("level") == "none", "3.27.10", where, "a level of what did not fail")
    need(result.get("level") != "none" or result.get("kind", "fail") != "fail", "3.27.10", where, "a failure without a level")
    need(result.get("partialFingerprints"), "DOCS", where, "no fingerprint")
    check_message(result, where)
    locations = result.get("locations", [])
    need(locations, "GH1001", where, "no location")
    need(len(locations) + len(result.get("relatedLocations", [])) <= MOST_LOCATIONS, "GH1004", where, "locations")
    for location in locations:
        check_location(location, run, where)
    for related in result.get("relatedLocations", []):
        if "physicalLocation" in related:
            check_location(related, run, where + ", related")
    for suppression in result.get("suppressions", []):
        need(suppression["kind"] == "external" or "location" in suppression, "3.35.5", where, "no location")
        if "location" in suppression:
            check_location(suppression["location"], run, where + ", suppression")
    for flow in result.get("codeFlows", []):
        steps = [step for thread in flow["threadFlows"] for step in thread["locations"]]
        need(steps, "3.38.6", where, "a flow without steps")
        need(len(steps) <= MOST_STEPS, "GH1004", where, "steps")
        need(not any("index" in step for step in steps), "GH1002", where, "a step by its number")
    for fix in result.get("fixes", []):
        need(fix.get("artifactChanges"), "3.55.3", where, "a fix that changes nothing")
        for change in fix.get("artifactChanges", []):
            check_artifact(change["artifactLocation"], run, where + ", fix")
            for replacement in change["replacements"]:
                check_region(replacement["deletedRegion"], where + ", fix")


def check_log(log):
    need(log.get("$schema", "").endswith("2.1.0.json"), "SARIF1011", "log", "another schema")
    need(log.get("version") == "2.1.0", "GH1013", "log", "version")
    need(len(log.get("runs", [])) == 1, "GH1013", "log", "runs")
    for run in log["runs"]:
        need("results" in run, "GH1014", "run", "no results")
        need(run.get("automationDetails", {}).get("id", "").endswith("/"), "DOCS", "run", "no category")
        for name, base in run.get("originalUriBaseIds", {}).items():
            need("uri" not in base or base["uri"].endswith("/"), "SARIF1004", name, "no slash at its end")
        check_driver(run["tool"]["driver"])
        need(len(run["results"]) <= MOST_RESULTS, "GH1004", "results", "%d" % len(run["results"]))
        for number, result in enumerate(run["results"]):
            check_result(result, run, "results/%d (%s)" % (number, result.get("ruleId")))


for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        check_log(json.load(file))
    for fault in faults:
        print("%s: %s" % (path, fault))
    faults.clear()
