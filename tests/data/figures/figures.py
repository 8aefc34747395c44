"""Figures of school.json, computed without any code of the product: python3 figures.py > figures.json"""
import json
from math import floor
from statistics import correlation, fmean

with open('school.json') as file:
    school = json.load(file)
students = school['students']


def complete(paper):
    marks = paper.get('marks')
    return sum(marks) if marks and None not in marks else None


def total(student, name):
    """Entered by staff, else the sum of complete marks; nobody absent or exempt has one."""
    paper = student[name]
    if paper.get('attendance') in ('absent', 'exempt'):
        return None
    return paper['total'] if 'total' in paper else complete(paper)


def rows(name):
    """Marks of those of 11P who sat it and have one; a blank counts 0."""
    return [
        [mark or 0 for mark in student[name]['marks']]
        for student in students
        if student['set'] == '11P' and 'attendance' not in student[name] and any(mark is not None for mark in student[name].get('marks', []))
    ]


def percent(set_name, set_of):
    of_set = [total(student, 'Paper 1') for student in students if set_of(student) == set_name]
    return fmean(100 * one / sum(school['maxima']['Paper 1']) for one in of_set if one is not None)


def now(student):
    return student.get('movedTo', student['set'])


def on_the_day(student):
    return student['set']


def discrimination(place):
    sat = rows('Paper 1')
    return correlation([row[place] for row in sat], [sum(row) - row[place] for row in sat])


def below(topic):
    """The topic itself and all below it."""
    return {one for path in school['tree'] if topic in path for one in path[path.index(topic):]}


def value(topic):
    wanted = set().union(*[below(one) for one in topic['prerequisites']])
    bearing = {tuple(question) for question in topic['byHand']}
    bearing |= {tuple(question) for question, topics in school['questionTopics'] if wanted & set(topics)}
    got = sum(row[number - 1] for name, number in bearing for row in rows(name))
    available = sum(school['maxima'][name][number - 1] * len(rows(name)) for name, number in bearing)
    return floor(100 * got / available)


def school_year(day):
    return int(day[:4]) - (1 if day[5:7] < '09' else 0)


print(json.dumps({
    'setAverages': {name: percent(name, now) for name in school['daysSat']},
    'historicAverages': {school_year(day): percent(name, on_the_day) for name, day in school['daysSat'].items()},
    'discriminations': [discrimination(place) for place in range(len(school['maxima']['Paper 1']))],
    'topicValues': {name: value(topic) for name, topic in school['schemeTopics'].items()},
}, indent=1))
